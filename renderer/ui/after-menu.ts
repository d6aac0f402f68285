/** Does what was chosen in a menu once the menu is gone: what it opens may then take the focus. The next frame can be late. */
export function afterMenu(run: () => void): void {
  setTimeout(run, 0);
}
