import { z } from 'zod';
import { terminalSizeSchema } from '../../../../shared/terminal/size.ts';
import type { ForeignHeader } from './foreign-event.ts';
import { ImportError } from './foreign-event.ts';

/** UTF-16 units of what is kept of a header, so that the first line of a recording stays short. */
export const KEPT = { title: 500, command: 4_096, variables: 50, variable: 1_000, type: 100 } as const;

const kept = (chars: number) =>
  z
    .string()
    .transform((text) => text.slice(0, chars).toWellFormed())
    .nullable()
    .catch(null)
    .default(null);

const variables = z
  .record(z.string(), z.unknown())
  .transform((env) =>
    Object.fromEntries(
      Object.entries(env)
        .flatMap(([name, value]) =>
          typeof value === 'string' && name !== '__proto__' ? [[name, value] as const] : [],
        )
        .slice(0, KEPT.variables)
        .map(([name, value]) => [cut(name), cut(value)]),
    ),
  )
  .nullable()
  .catch(null)
  .default(null);

const common = {
  timestamp: z.number().min(0).max(253_402_300_799).nullable().catch(null).default(null),
  title: kept(KEPT.title),
  command: kept(KEPT.command),
  env: variables,
};

const flat = z.object({ ...common, width: z.number(), height: z.number() });
const nested = z.object({
  ...common,
  term: z.object({ cols: z.number(), rows: z.number(), type: kept(KEPT.type) }),
});

/** `value`: what the first line, or the whole of a v1 file, is as JSON. Throws ImportError. */
export function readHeader(value: unknown): ForeignHeader {
  if (typeof value !== 'object' || value === null || !('version' in value)) {
    throw new ImportError(1, 'this is no header of an asciicast file, which has a version.');
  }
  const { version } = value;
  if (version === 3) {
    const { term, ...rest } = parsed(nested, value, '`term` with `cols` and `rows`');
    return { ...rest, version, size: sizeOf(term.cols, term.rows), type: term.type };
  }
  if (version === 1 || version === 2) {
    const { width, height, ...rest } = parsed(flat, value, '`width` and `height`');
    return { ...rest, version, size: sizeOf(width, height), type: rest.env?.['TERM'] ?? null };
  }
  throw new ImportError(1, 'the version is not 1, 2 or 3.');
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, needed: string): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new ImportError(1, `the header needs ${needed}, as numbers.`);
  return result.data;
}

function sizeOf(cols: number, rows: number) {
  const size = terminalSizeSchema.safeParse({ cols, rows });
  if (!size.success) throw new ImportError(1, 'the size must be whole numbers from 1 to 65535.');
  return size.data;
}

function cut(text: string): string {
  return text.slice(0, KEPT.variable).toWellFormed();
}
