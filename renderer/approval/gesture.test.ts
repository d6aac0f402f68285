import { describe, expect, it } from 'vitest';
import { APPROVAL } from '../../shared/governed/limits.ts';
import { APPROVE_WORD, PointerGesture, type Press, type Typed, typeWord } from './gesture.ts';

const press: Press = {
  trusted: true,
  primary: true,
  button: 0,
  pointerId: 7,
  focusedForMs: APPROVAL.settleMs,
  overForMs: APPROVAL.hoverMs,
  at: 10_000,
};
const click = { trusted: true, detail: 1, pointerId: 7, at: 10_050 };

describe('approving by pointer', () => {
  it('a press and its click in a focused page approve, once', () => {
    const gesture = new PointerGesture();
    gesture.press(press, true);
    expect(gesture.click(click, true)).toEqual({ kind: 'approve' });
    expect(gesture.click(click, true)).toEqual({ kind: 'refused', hint: null });
  });

  it.each<[string, Partial<Press>, RegExp | null]>([
    ['that brings the focus here', { focusedForMs: null }, /once more/],
    ['just after the focus came here', { focusedForMs: APPROVAL.settleMs - 1 }, /once more/],
    ['as the pointer arrives', { overForMs: APPROVAL.hoverMs - 1 }, /press and hold/],
    ['of a pointer that never arrived', { overForMs: null }, /press and hold/],
    ['of a program', { trusted: false }, null],
    ['of a second finger', { primary: false }, null],
    ['of another button', { button: 2 }, null],
    ['of another pointer', { pointerId: 8 }, null],
  ])('a press %s does not', (_which, change, hint) => {
    const gesture = new PointerGesture();
    gesture.press({ ...press, ...change }, true);
    const verdict = gesture.click(click, true);
    expect(verdict.kind).toBe('refused');
    if (hint === null) expect(verdict).toMatchObject({ hint: null });
    else expect(verdict).toMatchObject({ hint: expect.stringMatching(hint) });
  });

  it('a press as the pointer arrives counts when it is held', () => {
    const gesture = new PointerGesture();
    gesture.press({ ...press, overForMs: 0 }, true);
    expect(gesture.click({ ...click, at: press.at + APPROVAL.holdMs }, true)).toEqual({ kind: 'approve' });
  });

  it('a press that began before Approve was armed, or ends after it no longer is, does not', () => {
    const gesture = new PointerGesture();
    gesture.press(press, false);
    expect(gesture.click(click, true).kind).toBe('refused');
    gesture.press(press, true);
    expect(gesture.click(click, false).kind).toBe('refused');
    gesture.press(press, true);
    gesture.cancel();
    expect(gesture.click(click, true).kind).toBe('refused');
  });

  it.each([
    ['Enter, Space or an access key', { trusted: true, detail: 0, pointerId: -1 }],
    ['a key while the pointer is down', { trusted: true, detail: 0, pointerId: 7 }],
    ['a program', { trusted: false, detail: 1, pointerId: 7 }],
  ])('a click of %s does not', (_who, by) => {
    const gesture = new PointerGesture();
    expect(gesture.click({ ...by, at: click.at }, true).kind).toBe('refused');
    gesture.press(press, true);
    expect(gesture.click({ ...by, at: click.at }, true).kind).toBe('refused');
  });
});

describe('approving by word', () => {
  const typed = (data: string | null, change: Partial<Typed> = {}): Typed => ({
    trusted: true,
    inputType: 'insertText',
    data,
    repeated: false,
    ...change,
  });
  const type = (text: string, change: Partial<Typed> = {}) =>
    [...text].reduce((word, letter) => typeWord(word, typed(letter, change), true), '');

  it('letter by letter it becomes the word, in either case', () => {
    expect(type('approve')).toBe(APPROVE_WORD);
    expect(type('APPROVE')).toBe(APPROVE_WORD);
  });

  it.each(['yes', '1', ' ', '\n', 'a pprove', 'aapprove', 'approvee', 'apprve'])('%j does not', (text) =>
    expect(type(text)).not.toBe(APPROVE_WORD),
  );

  it('a wrong letter begins anew; a letter can be taken back', () => {
    expect(type('appx')).toBe('');
    const back = typed(null, { inputType: 'deleteContentBackward' });
    expect(typeWord('app', back, true)).toBe('ap');
  });

  it.each<[string, Typed]>([
    ['a paste', typed(null, { inputType: 'insertFromPaste' })],
    ['several letters at once', typed('approve')],
    ['a completion', typed('approve', { inputType: 'insertReplacementText' })],
    ['a held key', typed('e', { repeated: true })],
    ['a program', typed('e', { trusted: false })],
    ['Enter', typed(null, { inputType: 'insertLineBreak' })],
  ])('%s empties the field', (_what, event) => expect(typeWord('approv', event, true)).toBe(''));

  it('nothing counts before Approve is armed', () => expect(typeWord('approv', typed('e'), false)).toBe(''));
});
