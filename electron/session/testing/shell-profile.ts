import { type Profile, profileSchema } from '../../../shared/settings/schema.ts';

/** A shell without start-up files, whose prompt is `ready$ `, or `command` instead. */
export function shellProfile(command?: readonly string[]): Profile {
  return profileSchema.parse({
    id: 'test',
    name: 'Test',
    command: command ?? ['/bin/bash', '--norc', '--noprofile', '-i'],
    environment: { PS1: 'ready$ ' },
  });
}
