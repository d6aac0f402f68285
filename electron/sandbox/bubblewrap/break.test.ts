import { expect, it } from 'vitest';
import { breakMeaning } from './break.ts';

const MODES = (flags: string) => `speed 38400 baud; rows 41; columns 133; line = 0;
intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;
-parenb -parodd -cmspar cs8 -hupcl -cstopb cread -clocal -crtscts
${flags} -ignpar -parmrk -inpck -istrip -inlcr -igncr icrnl ixon -ixoff
`;

it.each([
  ['ignbrk brkint', 'ignored'],
  ['ignbrk -brkint', 'ignored'],
  ['-ignbrk brkint', 'interrupt'],
  ['-ignbrk -brkint', 'nul'],
])('ST-10 with %s, BREAK means: %s', (flags, meaning) => {
  expect(breakMeaning(MODES(flags))).toBe(meaning);
});
