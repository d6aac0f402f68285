/** Since when this document has the focus: a click that brings it here is not yet one that decides. */
let since: number | null = document.hasFocus() ? performance.now() : null;

window.addEventListener('focus', () => {
  since ??= performance.now();
});
window.addEventListener('blur', () => {
  since = null;
  // Else the focus would come back to a field that had it, and typing with it.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
});

/** Milliseconds; null without the focus. */
export function focusedForMs(): number | null {
  return since === null || !document.hasFocus() ? null : performance.now() - since;
}
