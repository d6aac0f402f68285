import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import { type EscapeState, escapeHelp, INITIAL_ESCAPE_STATE, scanInput } from './escape-sequences.ts';

const TILDE = 0x7e;

interface Chunk {
  readonly origin: InputOrigin;
  readonly bytes: Uint8Array;
}

/** Feeds chunks as the session does, what follows a disconnect or suspend included, and joins what is forwarded. */
function run(chunks: readonly Chunk[], escapeByte: number | null = TILDE) {
  let state: EscapeState = INITIAL_ESCAPE_STATE;
  const events: string[] = [];
  let sent = '';
  const flush = () => {
    if (sent !== '') events.push(sent);
    sent = '';
  };
  for (const { origin, bytes } of chunks) {
    let rest = bytes;
    do {
      const step = scanInput(state, escapeByte, origin, rest);
      state = step.state;
      rest = step.rest;
      for (const effect of step.effects) {
        if (effect.kind === 'forward') {
          sent += Buffer.from(effect.bytes).toString('latin1');
        } else {
          flush();
          events.push(`<${effect.kind}>`);
        }
      }
    } while (rest.length > 0);
  }
  flush();
  return { events, state };
}

const chunk = (origin: InputOrigin, text: string): Chunk => ({ origin, bytes: Buffer.from(text) });
const typed = (text: string) => chunk('typed', text);
const paste = (text: string) => chunk('paste', text);
const latin1 = (text: string) => Buffer.from(text).toString('latin1');
const bracketed = (text: string) => paste(`\x1b[200~${text}\x1b[201~`);

describe('typed escape sequences', () => {
  const table: [string, string, string[]][] = [
    ['ST-11 ~. at the start of the session disconnects', '~.', ['<disconnect>']],
    ['ST-11 ~. after Enter disconnects', 'ls\r~.', ['ls\r', '<disconnect>']],
    ['ST-11 ~. after a line feed disconnects', 'ls\n~.', ['ls\n', '<disconnect>']],
    ['ST-12 ~B asks for BREAK', '~B', ['<break>']],
    ['ST-13 ~^Z suspends', '~\x1a', ['<suspend>']],
    ['ST-14 ~? lists the sequences', '~?', ['<help>']],
    ['ST-14 ~~ sends one tilde', '~~', ['~']],
    ['ST-14 any other ~x sends both bytes', '~x', ['~x']],
    ['ST-14 ~ Enter sends both and starts a line', '~\r~.', ['~\r', '<disconnect>']],
    ['ST-14 lower-case b is another ~x', '~b', ['~b']],
    ['ST-15 a tilde inside a line is ordinary', 'cd ~.', ['cd ~.']],
    ['ST-15 a handled sequence keeps the start of the line', '~?~B~.', ['<help>', '<break>', '<disconnect>']],
    ['ST-15 ~~ ends the start of the line', '~~~.', ['~~.']],
    ['ST-15 an unknown ~x ends the start of the line', '~x~.', ['~x~.']],
    ['ST-15 a lone tilde is held', '~', []],
    ['ST-16 Delete after Enter is no escape', '\r\x1b[3~.', ['\r\x1b[3~.']],
    ['ST-16 F5 after Enter is no escape', '\r\x1b[15~\r~.', ['\r\x1b[15~\r', '<disconnect>']],
    ['ST-16 Delete decides a held tilde', '~\x1b[3~', ['~\x1b[3~']],
    ['ST-16 UTF-8 after a tilde is another ~x', '~é', [latin1('~é')]],
    ['ST-16 UTF-8 does not start a line', 'é~.', [latin1('é~.')]],
  ];
  it.each(table)('%s', (_rule, keys, expected) => {
    expect(run([typed(keys)]).events).toEqual(expected);
  });

  it('ST-13 what follows a suspend in one chunk is neither sent nor scanned', () => {
    const step = scanInput(INITIAL_ESCAPE_STATE, TILDE, 'typed', Buffer.from('~\x1a~.abc'));
    expect(step.effects).toEqual([{ kind: 'suspend' }]);
    expect(Buffer.from(step.rest).toString()).toBe('~.abc');
    expect(step.state).toEqual(INITIAL_ESCAPE_STATE);
  });

  it('forwards views of the chunk, not copies', () => {
    const bytes = Buffer.from('ls\r');
    const [effect] = scanInput(INITIAL_ESCAPE_STATE, TILDE, 'typed', bytes).effects;
    expect(effect?.kind === 'forward' && effect.bytes.buffer).toBe(bytes.buffer);
  });
});

describe('ST-17 the escape character', () => {
  it('can be another one', () => {
    expect(run([typed('~.\r%.')], 0x25).events).toEqual(['~.\r', '<disconnect>']);
  });

  it('can be switched off', () => {
    expect(run([typed('~.~B~\x1a~~~?')], null).events).toEqual(['~.~B~\x1a~~~?']);
  });

  it('sends itself when doubled even where it is the key of a sequence', () => {
    expect(run([typed('..\r.B')], 0x2e).events).toEqual(['.\r', '<break>']);
    expect(escapeHelp('.').map(({ keys }) => keys)).toEqual(['.B', '.Ctrl-Z', '.?', '..']);
  });

  it('is named in the help', () => {
    expect(escapeHelp('~').map(({ keys }) => keys)).toEqual(['~.', '~B', '~Ctrl-Z', '~?', '~~']);
  });
});

describe('B10 pasted and programmatic text', () => {
  const text = 'one\n~.\n~~two\n~?\n~Bthree\n~\x1afour';

  it.each(['paste', 'program', 'reply'] as const)('ST-16 %s bytes pass unchanged', (origin) => {
    expect(run([chunk(origin, text)]).events).toEqual([text]);
  });

  it('a bracketed paste passes unchanged', () => {
    expect(run([bracketed(text)]).events).toEqual([`\x1b[200~${text}\x1b[201~`]);
  });

  it.each(['paste', 'program'] as const)('a typed tilde that is held goes before a %s', (origin) => {
    expect(run([typed('~'), chunk(origin, '.'), typed('.')]).events).toEqual(['~..']);
  });

  it('ST-16 a paste leaves no escape half recognised', () => {
    expect(run([paste('\r~'), typed('.')]).events).toEqual(['\r~.']);
  });

  it.each(['paste', 'program'] as const)('~. works after a %s that ends in a line end', (origin) => {
    expect(run([typed('x'), chunk(origin, 'abc\r'), typed('~.')]).events).toEqual(['xabc\r', '<disconnect>']);
  });

  it('~. works after a bracketed paste whose text ends in a line end', () => {
    const pasted = '\x1b[200~abc\r\x1b[201~';
    expect(run([typed('x'), paste(pasted), typed('~.')]).events).toEqual([`x${pasted}`, '<disconnect>']);
  });

  it('ST-15 after a paste that ends inside a line a tilde is ordinary', () => {
    expect(run([paste('cd '), typed('~.ssh\r~.')]).events).toEqual(['cd ~.ssh\r', '<disconnect>']);
    expect(run([bracketed('cd '), typed('~.')]).events).toEqual(['\x1b[200~cd \x1b[201~~.']);
  });

  it('an empty bracketed paste leaves the line where it was', () => {
    expect(run([bracketed(''), typed('~.')]).events).toEqual(['\x1b[200~\x1b[201~', '<disconnect>']);
    expect(run([typed('a'), bracketed(''), typed('~.')]).events).toEqual(['a\x1b[200~\x1b[201~~.']);
  });

  it('a held tilde ends the start of the line even before an empty bracketed paste', () => {
    expect(run([typed('~'), bracketed(''), typed('~.')]).events).toEqual(['~\x1b[200~\x1b[201~~.']);
  });

  it('a marker that is never finished is text', () => {
    expect(run([paste('\r\x1b[20'), typed('~.')]).events).toEqual(['\r\x1b[20~.']);
  });

  it('an empty paste sends nothing, a held tilde included', () => {
    expect(run([typed('~'), paste(''), typed('.')]).events).toEqual(['<disconnect>']);
  });

  it('ST-16 a reply neither moves the line nor decides a held tilde', () => {
    expect(run([typed('\r'), chunk('reply', '\x1b[?62c'), typed('~.')]).events).toEqual([
      '\r\x1b[?62c',
      '<disconnect>',
    ]);
    expect(run([typed('~'), chunk('reply', '\x1b[O'), typed('.')]).events).toEqual([
      '\x1b[O',
      '<disconnect>',
    ]);
    expect(run([typed('a'), chunk('reply', '\r'), typed('~.')]).events).toEqual(['a\r~.']);
  });
});

describe('properties', () => {
  const interesting = fc.constantFrom(...Buffer.from('~~~~..BB\x1a?\r\n\x1b[201x\xc3\xa9', 'latin1'));
  const bytes = fc.array(fc.oneof({ weight: 6, arbitrary: interesting }, fc.integer({ min: 0, max: 255 })), {
    maxLength: 40,
  });
  const runs = fc.array(
    fc.record({ origin: fc.constantFrom<InputOrigin>('typed', 'paste', 'reply', 'program'), bytes }),
    { maxLength: 6 },
  );
  const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 7 }));

  function cut(chunks: readonly Chunk[], sizes: Iterator<number>): Chunk[] {
    return chunks.flatMap(({ origin, bytes }) => {
      const pieces: Chunk[] = [];
      for (let at = 0; at < bytes.length; ) {
        const end = at + (sizes.next().value as number);
        pieces.push({ origin, bytes: bytes.subarray(at, end) });
        at = end;
      }
      return pieces;
    });
  }

  it('the result does not depend on how the bytes are cut into chunks', () => {
    fc.assert(
      fc.property(runs, cuts, fc.constantFrom(TILDE, 0x25, null), (input, sizes, escapeByte) => {
        const whole = input.map(({ origin, bytes }) => ({ origin, bytes: Uint8Array.from(bytes) }));
        expect(run(cut(whole, sizes), escapeByte)).toEqual(run(whole, escapeByte));
      }),
      { numRuns: 2000 },
    );
  });

  it('without typed bytes everything arrives byte for byte', () => {
    fc.assert(
      fc.property(runs, (input) => {
        const chunks = input
          .filter(({ origin }) => origin !== 'typed')
          .map(({ origin, bytes }) => ({ origin, bytes: Uint8Array.from(bytes) }));
        const all = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString('latin1');
        expect(run(chunks).events.join('')).toBe(all);
      }),
    );
  });

  it('typed bytes are lost only as the tildes of sequences: a reference of three lines agrees', () => {
    fc.assert(
      fc.property(bytes, (input) => {
        const text = Buffer.from(input).toString('latin1');
        const { events, state } = run([{ origin: 'typed', bytes: Uint8Array.from(input) }]);
        expect(events.join('') + (state.held ? '~' : '')).toBe(reference(text));
      }),
      { numRuns: 2000 },
    );
  });
});

/** The same rules as a rewriting of the whole text: sequences at a line's start become what they mean. */
function reference(text: string): string {
  const meaning: Record<string, string> = { '.': 'disconnect', B: 'break', '\x1a': 'suspend', '?': 'help' };
  return text
    .split(/(?<=[\r\n])/)
    .map((line) => {
      const [, sequences = '', rest = ''] = /^((?:~[.B\x1a?])*)(.*)$/s.exec(line) ?? [];
      const told = [...sequences.replaceAll('~', '')].map((key) => `<${meaning[key]}>`).join('');
      return told + rest.replace(/^~~/, '~');
    })
    .join('');
}
