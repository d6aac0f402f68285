import { useRef, useState } from 'react';

/**
 * The folder of a form that can be sent while the host has not looked at it yet. `named`: there is something to send, which
 * the host has not refused.
 */
export function useTypedFolder(initial: string | null) {
  const [folder, setFolder] = useState(initial);
  const [named, setNamed] = useState(initial !== null);
  const checking = useRef<Promise<string | null> | null>(null);
  return {
    folder,
    named,
    /** Resolves to the folder once the host has looked at it; to null when it cannot be used, which its field then says. */
    settled: (): Promise<string | null> => checking.current ?? Promise.resolve(folder),
    /** For a FolderInput. */
    field: {
      value: folder,
      onTyped(text: string) {
        checking.current = null;
        setNamed(text.trim() !== '');
      },
      onChecking(answer: Promise<string | null>) {
        checking.current = answer;
        void answer.then((found) => {
          if (checking.current === answer) setNamed(found !== null);
        });
      },
      onChange(next: string | null) {
        setFolder(next);
        setNamed(next !== null);
      },
    },
  };
}
