import { closeAbove } from '../inherited-descriptors.ts';
import { GENERATED_FILES } from './etc-files.ts';

/** Descriptors of the launcher besides the terminal: pipes from the host. bwrap reads two, the sandbox's shim the third. */
export const DESCRIPTORS = { seccomp: 3, args: 4, go: 5 } as const;
export const HOST_PIPES = Object.keys(DESCRIPTORS).length;
const FIRST_FILE_DESCRIPTOR = 10;

/** bwrap options that create the generated files from the descriptors that the launcher opens. */
export function generatedFileArguments(): string[] {
  return Object.keys(GENERATED_FILES).flatMap((path, index) => [
    '--perms',
    '0644',
    '--file',
    String(FIRST_FILE_DESCRIPTOR + index),
    path,
  ]);
}

/**
 * A bash script that turns itself into bwrap. Arguments: open files per process, then the command to become.
 *
 * 1. It closes every descriptor that is not its own.
 * 2. It lowers its own resource limits where the host allows that. What took effect is read back for the posture.
 * 3. It opens the generated files.
 */
export const LAUNCHER_SCRIPT = `set -e
${closeAbove(DESCRIPTORS.go)}
ulimit -c 0
ulimit -n "$1" 2>/dev/null || :
shift
exec <&1
${Object.values(GENERATED_FILES).map(openHereDocument).join('\n')}
exec "$@"
`;

function openHereDocument(content: string, index: number): string {
  return `exec ${FIRST_FILE_DESCRIPTOR + index}<<'END_OF_FILE'\n${content}END_OF_FILE`;
}
