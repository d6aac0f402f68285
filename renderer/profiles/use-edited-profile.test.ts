import { expect, it } from 'vitest';
import { settingsSchema } from '../../shared/settings/schema.ts';
import { type Editor, follow } from './use-edited-profile.ts';

const settings = (...ids: string[]) =>
  settingsSchema.parse({ profiles: ids.map((id) => ({ id, name: id })), defaultProfile: ids[0] });
const EDITOR: Editor = { id: 'b', was: 'b', key: 3 };
const RENAMED: Editor = { ...EDITOR, id: 'c' };

it.each([
  ['stays with its profile', EDITOR, 'b', ['a', 'b'], 'b', 3],
  ['stays with it when its id is another', RENAMED, 'c', ['a', 'c'], 'c', 3],
  ['stays with it when the host does not keep the other id', RENAMED, 'c', ['a', 'b'], 'b', 3],
  ['is another one for another profile', EDITOR, 'a', ['a', 'b'], 'a', 4],
  ['is another one for a profile that has the old id now', RENAMED, 'b', ['a', 'b', 'c'], 'b', 4],
  ['is one of the default when its profile is gone', EDITOR, 'b', ['a'], 'a', 4],
  ['is one of the default when a chosen profile is not there', EDITOR, 'gone', ['a', 'b'], 'a', 4],
] as const)('the editor %s', (_, editor, chosen, ids, profile, key) => {
  const followed = follow(editor, chosen, settings(...ids));
  expect([followed.profile?.id, followed.editor.key]).toEqual([profile, key]);
  // Drawn again, it is settled.
  expect(follow(followed.editor, chosen, settings(...ids)).editor).toBe(followed.editor);
});
