import { useState } from 'react';
import type { AnyProfile, Settings } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { useSettings } from '../state/settings-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { changeProfile } from './profile-edits.ts';

/** One editor is of one profile, through changes of its id too: what has the focus in it keeps it, and so does a press on it. */
export interface Editor {
  readonly id: string;
  /** The id before it was changed in this editor: it returns when the host does not keep the change. */
  readonly was: string;
  /** Tells editors apart. */
  readonly key: number;
}

interface Edited {
  readonly profile: AnyProfile | undefined;
  readonly key: number;
  readonly rename: (id: string) => void;
}

/** The profile that the editor shows: the chosen one, else the default. */
export function useEditedProfile(): Edited {
  const { settings: service } = useServices();
  const settings = useSettings((state) => state.settings);
  const chosen = useWorkspace((state) => state.profile) ?? settings.defaultProfile;
  const [before, setEditor] = useState<Editor>({ id: chosen, was: chosen, key: 0 });
  const { profile, editor } = follow(before, chosen, settings);
  if (editor !== before) setEditor(editor);
  const rename = (id: string) => {
    if (profile === undefined) return;
    setEditor({ ...editor, id, was: profile.id });
    useWorkspace.setState({ profile: id });
    void service.change((now) => changeProfile(now, profile.id, { id }));
  };
  return { profile, key: editor.key, rename };
}

/** What there is to edit when `chosen` is, and whether that is still what `editor` edits. */
export function follow(
  editor: Editor,
  chosen: string,
  { profiles, defaultProfile }: Pick<Settings, 'profiles' | 'defaultProfile'>,
): { readonly profile: AnyProfile | undefined; readonly editor: Editor } {
  const byId = (id: string) => profiles.find((profile) => profile.id === id);
  const own = chosen === editor.id ? (byId(chosen) ?? byId(editor.was)) : undefined;
  const profile = own ?? byId(chosen) ?? byId(defaultProfile);
  if (profile === undefined || profile === own || profile.id === editor.id) return { profile, editor };
  return { profile, editor: { id: profile.id, was: profile.id, key: editor.key + 1 } };
}
