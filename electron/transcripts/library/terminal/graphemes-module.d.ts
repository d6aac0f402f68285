declare module '@xterm/addon-unicode-graphemes/lib/addon-unicode-graphemes.mjs' {
  export { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
}
