/**
 * Bash that closes every descriptor above `last`. PTYs stay open across exec (`pty/native.ts`): what runs for a sandbox and
 * inherited them could read and type in the terminals of all others.
 */
export const closeAbove = (last: number): string => `for path in /proc/self/fd/*; do
  fd=\${path##*/}
  if ((fd > ${last})); then exec {fd}>&-; fi
done`;
