/** What a program wrote, recorded from a terminal of 80 columns with its echo off. */
export interface ShellStream {
  readonly name: string;
  readonly prompt: string;
  /** Up to the first prompt, and then after each command up to the next one. */
  readonly phases: readonly string[];
}

/** zsh and fish fill the row behind what has no line end. */
const row = (mark: string, blanks: number) => `${mark}${' '.repeat(blanks)}`;

const ZSH_DUMB = `${row('#', 78)}\r \r\r`;
const ZSH_MARK = `${row('\x1b[1m\x1b[7m#\x1b[27m\x1b[1m\x1b[0m', 79)}\r \r\r\x1b[0m\x1b[27m\x1b[24m\x1b[J`;
const FISH_DUMB = `${row('⏎', 78)}\r⏎ \r\r`;
const FISH_MARK = `${row('\x1b[2m⏎\x1b(B\x1b[m', 79)}\r⏎ \r\x1b[K\x1b]0;/\x07\x1b[30m\x1b(B\x1b[m`;
const PASTES = '\x1b[?2004h';
const SENT = '\x1b[?2004l\r\r\n';
const LONG = `${'p'.repeat(90)}$`;
const ASH =
  "\r\n\r\nBusyBox v1.35.0 (Debian 1:1.35.0-4+deb12u1+b1) built-in shell (ash)\r\nEnter 'help' for a list of built-in commands.\r\n\r\nbox$ ";
const COUNT = (n: number) => ` ?column? \r\n----------\r\n        ${n}\r\n(1 row)\r\n\r\n`;

/** Of zsh 5.9, fish 3.6.0, BusyBox 1.35.0, bash 5.2, psql 15.18, sqlite3 3.40.1, Python 3.11. */
export const SHELL_STREAMS: readonly ShellStream[] = [
  {
    name: 'zsh, TERM=dumb, output without a line end',
    prompt: '%',
    phases: [
      `${ZSH_DUMB}% ${PASTES}`,
      `printf nonl${SENT}nonl${ZSH_DUMB}% ${PASTES}`,
      `printf 1234567890${SENT}1234567890${ZSH_DUMB}% ${PASTES}`,
      `echo hi${SENT}hi\r\n${ZSH_DUMB}% ${PASTES}`,
    ],
  },
  {
    name: 'zsh, TERM=xterm-256color, output without a line end',
    prompt: '%',
    phases: [
      `${ZSH_MARK}% \x1b[K${PASTES}`,
      `p\bprintf nonl${SENT}nonl${ZSH_MARK}% \x1b[K${PASTES}`,
      `p\bprintf 1234567890${SENT}1234567890${ZSH_MARK}% \x1b[K${PASTES}`,
    ],
  },
  {
    name: 'zsh with a right-hand prompt',
    prompt: 'box#',
    phases: [
      `R\bRPROMPT='%T' PS1='box%# '${SENT}${ZSH_MARK}box# \x1b[K\x1b[69C22:12\x1b[74D${PASTES}`,
      `e\becho hi${SENT}hi\r\n${ZSH_MARK}box# \x1b[K\x1b[69C22:12\x1b[74D${PASTES}`,
      `p\bprintf nonl${SENT}nonl${ZSH_MARK}box# \x1b[K\x1b[69C22:12\x1b[74D${PASTES}`,
    ],
  },
  {
    name: 'zsh with a coloured right-hand prompt that is taken back',
    prompt: 'box#',
    phases: [
      `${ZSH_MARK}box# \x1b[K\x1b[70C\x1b[31mmain\x1b[39m\x1b[74D${PASTES}`,
      `e\becho hi\x1b[?2004l\x1b[K\r\r\nhi\r\n${ZSH_MARK}box# \x1b[K\x1b[70C\x1b[31mmain\x1b[39m\x1b[74D${PASTES}`,
    ],
  },
  {
    name: 'zsh with semantic marks (OSC 133), TERM=dumb',
    prompt: 'box#',
    phases: [
      `${row('#', 78)}\r \r\x1b]133;D;0\x07\r\x1b]133;A\x07box# \x1b]133;B\x07${PASTES}`,
      `echo hi${SENT}\x1b]133;C\x07hi\r\n${row('#', 78)}\r \r\x1b]133;D;0\x07\r\x1b]133;A\x07box# \x1b]133;B\x07${PASTES}`,
    ],
  },
  {
    name: 'zsh with semantic marks (OSC 133), TERM=xterm-256color',
    prompt: 'box#',
    phases: [
      `P\bPS1=$'%{\\e]133;A\\a%}box%# %{\\e]133;B\\a%}'; preexec() { print -n '\\e]133;C\\a' \r\x1b[K \r }${SENT}${row('\x1b[1m\x1b[7m#\x1b[27m\x1b[1m\x1b[0m', 79)}\r \r\x1b]133;D;0\x07\r\x1b[0m\x1b[27m\x1b[24m\x1b[J\x1b]133;A\x07box# \x1b]133;B\x07\x1b[K${PASTES}`,
    ],
  },
  {
    name: 'zsh with two lines that are drawn again and again, TERM=dumb',
    prompt: 'box#',
    phases: [
      `${ZSH_DUMB}top\r\nbox# ${PASTES}\r\rtop\r\nbox# \r\rtop\r\nbox# `,
      `echo hi${SENT}hi\r\n${ZSH_DUMB}top\r\nbox# ${PASTES}\r\rtop\r\nbox# `,
    ],
  },
  {
    name: 'zsh with two lines that are drawn again and again, TERM=xterm-256color',
    prompt: 'box#',
    phases: [
      `${ZSH_MARK}top\r\nbox# \x1b[K${PASTES}\r\r\x1b[A\x1b[0m\x1b[27m\x1b[24m\x1b[Jtop\r\nbox# \x1b[K`,
      `e\becho hi${SENT}hi\r\n${ZSH_MARK}top\r\nbox# \x1b[K${PASTES}\r\r\x1b[A\x1b[0m\x1b[27m\x1b[24m\x1b[Jtop\r\nbox# \x1b[K`,
    ],
  },
  {
    name: 'fish, TERM=dumb, output without a line end',
    prompt: '>',
    phases: [
      '\r> ',
      `\r> printf \r> printf nonl\r> printf nonl\r\nnonl${FISH_DUMB}> `,
      `\r> echo \r> echo hi\r> echo hi\r\nhi\r\n${FISH_DUMB}> `,
    ],
  },
  {
    name: 'fish, TERM=dumb, no UTF-8',
    prompt: '>',
    phases: ['\r> ', `\r> printf \r> printf nonl\r> printf nonl\r\nnonl${row('^J', 77)}\r^J  \r\r> `],
  },
  {
    name: 'fish with two lines, TERM=dumb',
    prompt: '>',
    phases: [
      '\rtop\r\n> ',
      `\rtop\r\n> printf \rtop\r\n> printf nonl\rtop\r\n> printf nonl\r\nnonl${FISH_DUMB}top\r\n> `,
    ],
  },
  {
    name: 'fish with a right-hand prompt',
    prompt: '>',
    phases: [
      '\x1b]0;/\x07\x1b[30m\x1b(B\x1b[m\r> \x1b[K\r\x1b[75C12:30\r\x1b[75C\r\x1b[C\x1b[C',
      `printf \r\x1b[75C12:30\r\x1b[75C\r\x1b[9Cnonl\r\x1b[75C12:30\r\x1b[75C\r\x1b[13C\x1b[11Dprintf nonl\r\x1b[75C12:30\r\x1b[75C\r\x1b[13C\r\n\x1b[30m\x1b(B\x1b[m\x1b]0;printf nonl /\x07\x1b[30m\x1b(B\x1b[m\rnonl${FISH_MARK}> \x1b[K\r\x1b[75C12:30\r\x1b[75C\r\x1b[C\x1b[C`,
    ],
  },
  {
    name: 'BusyBox ash',
    prompt: 'box$',
    phases: [ASH, 'hi\r\nbox$ '],
  },
  {
    name: 'bash with bracketed paste, title and semantic marks',
    prompt: 'box$',
    phases: [
      `${PASTES}\x1b]133;A\x07\x1b]0;t\x07box$ \x1b]133;B\x07`,
      `${SENT}hi\r\n${PASTES}\x1b]133;A\x07\x1b]0;t\x07box$ \x1b]133;B\x07`,
    ],
  },
  {
    name: 'bash with a prompt that is longer than a row',
    prompt: LONG,
    phases: [`${LONG} `, `hi\r\n${LONG} `, `${SENT}hi\r\n${PASTES}${LONG} `],
  },
  {
    name: 'psql',
    prompt: 'postgres=#',
    phases: [
      'psql (15.18 (Debian 15.18-0+deb12u1))\r\nType "help" for help.\r\n\r\npostgres=# ',
      `${COUNT(1)}postgres=# `,
      `${SENT}${COUNT(2)}${PASTES}postgres=# `,
    ],
  },
  {
    name: 'sqlite3',
    prompt: 'sqlite>',
    phases: [
      'SQLite version 3.40.1 2022-12-28 14:03:47\r\nEnter ".help" for usage hints.\r\nsqlite> ',
      '1\r\nsqlite> ',
      `${SENT}1\r\n${PASTES}sqlite> `,
    ],
  },
  { name: 'Python', prompt: '>>>', phases: ['>>> ', '2\r\n>>> '] },
];

/** E26 wants the whole line: output without a line end hides the prompt of those that do not begin a row for it. */
export const HIDDEN_PROMPTS: readonly ShellStream[] = [
  { name: 'BusyBox ash', prompt: 'box$', phases: ['nonlbox$ '] },
  { name: 'bash', prompt: 'box$', phases: [`${SENT}nonl${PASTES}box$ `] },
  { name: 'Python', prompt: '>>>', phases: ['x>>> '] },
  { name: 'psql that waits for more', prompt: 'postgres=#', phases: ['postgres-# '] },
  { name: 'sqlite3 that waits for more', prompt: 'sqlite>', phases: ['   ...> '] },
];
