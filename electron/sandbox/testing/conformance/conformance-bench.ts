import { type Profile, profileSchema } from '../../../../shared/settings/schema.ts';
import type { Outcome } from '../../../../shared/terminal/outcome.ts';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import type { SandboxTerminal } from '../../engine.ts';
import { SandboxShell } from '../sandbox-shell.ts';
import type { RunningSubject } from './subject.ts';

export const SIZE: TerminalSize = { cols: 133, rows: 41 };

/** The prompt of `interactive`. */
export const PROMPT = 'ready$ ';

/** Sessions of one engine for one behaviour. */
export class ConformanceBench {
  readonly subject: RunningSubject;
  readonly #opened: SandboxTerminal[] = [];
  #count = 0;

  constructor(subject: RunningSubject) {
    this.subject = subject;
  }

  /** Runs a shell script. `cancelled` ends its opening before the time is over. */
  async script(text: string, rest: Partial<Profile> = {}, cancelled?: AbortSignal): Promise<SandboxShell> {
    return this.#open([...this.subject.shell, '-c', text], rest, cancelled);
  }

  /** A shell that stands at its prompt. */
  async interactive(rest: Partial<Profile> = {}): Promise<SandboxShell> {
    const shell = await this.#open([...this.subject.shell, '-i'], rest);
    // Not all shells take it from the environment, and some show one of their own first.
    await shell.type(`PS1='rea''dy$ '\r`);
    await shell.shows(PROMPT);
    return shell;
  }

  /** Runs a script to its end. */
  async run(text: string, rest: Partial<Profile> = {}): Promise<{ text: string; outcome: Outcome }> {
    const shell = await this.script(text, rest);
    const outcome = await shell.terminal.ended;
    const whole = shell.text;
    await shell.terminal.release();
    return { text: whole, outcome };
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((terminal) => terminal.release()));
  }

  async #open(
    command: readonly string[],
    rest: Partial<Profile>,
    cancelled?: AbortSignal,
  ): Promise<SandboxShell> {
    const { engine, profile } = this.subject;
    const whole = profileSchema.parse({
      ...{ id: 'conformance', name: 'Conformance', engine: engine.kind },
      ...profile,
      ...rest,
      command,
    });
    this.#count += 1;
    const spec = { sessionId: `conformance-${process.pid}-${this.#count}`, profile: whole, project: null };
    const deadline = AbortSignal.timeout(engine.openDeadlineMs?.(whole) ?? 30_000);
    const signal = cancelled === undefined ? deadline : AbortSignal.any([deadline, cancelled]);
    const terminal = await engine.open(spec, SIZE, signal);
    this.#opened.push(terminal);
    return new SandboxShell(terminal);
  }
}
