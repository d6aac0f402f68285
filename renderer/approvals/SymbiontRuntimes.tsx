import { Plus } from 'lucide-react';
import { type SymbiontProfile, symbiontProfiles } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { addSymbiontProfile } from '../profiles/profile-edits.ts';
import { useSettings } from '../state/settings-store.ts';
import { statusOf, useSymbiont } from '../state/symbiont-store.ts';
import { showProfile } from '../state/workspace-store.ts';
import { Button } from '../ui/Button.tsx';
import { SymbiontStatusLine } from './SymbiontStatusLine.tsx';
import { REACH } from './symbiont-words.ts';

/** The runtimes whose held actions are decided here, and how it goes with each. */
export function SymbiontRuntimes() {
  const { settings: service } = useServices();
  const profiles = symbiontProfiles(useSettings((state) => state.settings));
  const add = () =>
    service.change((settings) => {
      const added = addSymbiontProfile(settings);
      showProfile(added.id);
      return added.settings;
    });
  return (
    <section aria-label="Symbiont runtimes" className="place-section">
      <h2 className="place-heading">Symbiont runtimes</h2>
      {profiles.length === 0 ? (
        <div className="runtime-none">
          <p className="place-empty">
            None is followed. With its address and token, what a running “symbi up” holds for a person is
            asked here.
          </p>
          <Button onPress={() => void add()}>
            <Plus size={14} aria-hidden="true" />
            Add a Symbiont runtime
          </Button>
        </div>
      ) : (
        <>
          <ul className="record-list">
            {profiles.map((profile) => (
              <Runtime key={profile.id} profile={profile} />
            ))}
          </ul>
          <p className="runtime-reach">{REACH}</p>
        </>
      )}
    </section>
  );
}

function Runtime({ profile }: { readonly profile: SymbiontProfile }) {
  const status = useSymbiont((state) => statusOf(state, profile.id));
  const wantsToken = status?.kind === 'no-token';
  return (
    <li className="runtime" data-runtime={profile.id}>
      <div className="runtime-words">
        <p className="runtime-name">
          {profile.name}
          <code className="runtime-address">{profile.address}</code>
        </p>
        <SymbiontStatusLine status={status} />
      </div>
      <Button
        look={wantsToken ? 'plain' : 'quiet'}
        aria-label={wantsToken ? `Give the token of ${profile.name}` : `Edit ${profile.name}`}
        onPress={() => showProfile(profile.id)}
      >
        {wantsToken ? 'Give its token' : 'Edit'}
      </Button>
    </li>
  );
}
