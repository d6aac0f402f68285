import headless from '@xterm/headless';
import type { Terminal } from '@xterm/xterm';
import { describe, expect, it } from 'vitest';
import { Emitter } from '../../shared/emitter.ts';
import { taggedError } from '../../shared/protocol/errors.ts';
import { fail, ok } from '../../shared/result.ts';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import { HELD_REPLIES_MAX, TYPED_AHEAD_MAX_BYTES } from '../../shared/terminal/limits.ts';
import { SessionInput } from './session-input.ts';
import type { PasteConfirmation, TerminalEvents } from './terminal-events.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (value: string) => new TextEncoder().encode(value);

function pane() {
  // What a headless terminal has not, as there is nothing to see.
  const terminal = Object.assign(new headless.Terminal({ allowProposedApi: true }), {
    clearSelection: () => {},
  });
  const events = new Emitter<TerminalEvents>();
  const said: string[] = [];
  const asked: PasteConfirmation[] = [];
  events.on('refused', (words) => said.push(words));
  events.on('heldInput', () => said.push('held'));
  events.on('pasteNeedsConfirmation', (question) => asked.push(question));
  const input = new SessionInput(terminal as unknown as Terminal, events);
  const sent: [InputOrigin, string][] = [];
  const link = {
    send: (origin: InputOrigin, data: Uint8Array) => {
      sent.push([origin, text(data)]);
      return ok(undefined);
    },
  };
  const write = (output: string) => new Promise<void>((resolve) => terminal.write(output, resolve));
  return { terminal, input, sent, said, asked, link, write };
}

describe('SessionInput', () => {
  it('a watched session gets nothing from its terminal, and typing says where commands go', () => {
    const { terminal, input, sent, said, link } = pane();
    input.begin(link, 'watched');
    input.fromTerminal('typed', bytes('a'));
    input.fromTerminal('reply', bytes('\x1b[1;1R'));
    input.paste('b', true);
    expect(sent).toEqual([]);
    expect(said).toHaveLength(2);
    expect(said[0]).toContain('watched, not typed into');
    expect([input.isLive, terminal.options.disableStdin]).toEqual([false, false]);
  });

  it('sends nothing before a session and after it, and says so (B32)', () => {
    const { terminal, input, sent, said, link } = pane();
    const everything = () => {
      input.fromTerminal('typed', bytes('a'));
      input.fromTerminal('reply', bytes('\x1b[1;1R'));
      input.paste('b', true);
    };
    everything();
    expect(terminal.options.disableStdin).toBe(true);
    input.begin(link);
    expect(terminal.options.disableStdin).toBe(false);
    everything();
    input.end();
    everything();
    expect(sent).toEqual([
      ['typed', 'a'],
      ['reply', '\x1b[1;1R'],
      ['paste', 'b'],
    ]);
    expect(said).toHaveLength(4);
  });

  it('what is typed while a session opens is its first input, in order and bounded', () => {
    const { terminal, input, sent, said, link } = pane();
    input.opening();
    expect(terminal.options.disableStdin).toBe(false);
    for (const key of ['l', 's', '\r']) input.fromTerminal('typed', bytes(key));
    input.fromTerminal('reply', bytes('\x1b[1;1R'));
    input.paste('b', true);
    input.fromTerminal('typed', bytes('x'.repeat(TYPED_AHEAD_MAX_BYTES)));
    expect(said).toEqual([
      'The session is still opening. Paste again when it runs.',
      'The session is still opening. The last key was not kept.',
    ]);
    input.begin(link);
    input.fromTerminal('typed', bytes('a'));
    expect(sent.map(([origin, data]) => `${origin} ${data}`)).toEqual([
      'typed l',
      'typed s',
      'typed \r',
      'typed a',
    ]);
  });

  it('what was typed for a session that did not open goes to no other', () => {
    const { input, sent, link } = pane();
    input.opening();
    input.fromTerminal('typed', bytes('a'));
    input.end();
    input.opening();
    input.begin(link);
    expect(sent).toEqual([]);
  });

  it('takes keys of a suspended session for the wish to go on, and keeps its replies (ST-13)', () => {
    const { input, sent, said, link } = pane();
    input.begin(link);
    input.hold(true);
    input.fromTerminal('typed', bytes('a'));
    for (let i = 0; i < 2 * HELD_REPLIES_MAX; i += 1) input.fromTerminal('reply', bytes(`${i}`));
    expect([sent, said]).toEqual([[], ['held']]);
    input.hold(false);
    input.fromTerminal('typed', bytes('b'));
    expect(sent).toHaveLength(HELD_REPLIES_MAX + 1);
    expect([sent[0], sent.at(-1)]).toEqual([
      ['reply', '0'],
      ['typed', 'b'],
    ]);
  });

  it('does not bring a session back by ending its suspension', () => {
    const { input, sent, link } = pane();
    input.begin(link);
    input.hold(true);
    input.fromTerminal('reply', bytes('r'));
    input.end();
    input.hold(false);
    input.fromTerminal('typed', bytes('a'));
    expect(sent).toEqual([]);
  });

  it('frames a paste for what the program asks for when it is sent (B11)', async () => {
    const { input, sent, asked, link, write } = pane();
    input.begin(link);
    input.paste('one\ntwo', true);
    await write('\x1b[?2004h');
    expect(sent).toEqual([]);
    asked[0]?.accept();
    input.paste('x\x1b[201~', true);
    expect(sent).toEqual([
      ['paste', '\x1b[200~one\rtwo\x1b[201~'],
      ['paste', '\x1b[200~x[201~\x1b[201~'],
    ]);
  });

  it('does not send a confirmed paste to a session that ended meanwhile', () => {
    const { input, sent, asked, said, link } = pane();
    input.begin(link);
    input.paste('one\ntwo', true);
    input.end();
    asked[0]?.accept();
    expect([sent, said.length]).toEqual([[], 1]);
  });

  it('says what the connection refuses (B27)', () => {
    const { input, said } = pane();
    input.begin({ send: () => fail(taggedError('connection-lost', 'There is no connection.')) });
    input.fromTerminal('typed', bytes('a'));
    expect(said).toEqual(['There is no connection.']);
  });
});
