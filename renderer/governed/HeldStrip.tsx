import { Lock } from 'lucide-react';
import { useServices } from '../app/services.ts';
import { Button } from '../ui/Button.tsx';
import { Strip } from '../workspace/Strip.tsx';

/** The pane's session waits for a person (ST-18). */
export function HeldStrip({ approvalId }: { readonly approvalId: string | undefined }) {
  const { approvals } = useServices();
  return (
    <Strip
      kind="held"
      name="held"
      icon={<Lock size={16} />}
      title="Output is held while a decision is open. Nothing is lost."
      actions={
        <Button look="quiet" onPress={() => approvals.open(approvalId)}>
          Show the decision
        </Button>
      }
    />
  );
}
