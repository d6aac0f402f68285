import { open } from 'node:fs/promises';
import { AUDIT_LINE_MAX_BYTES } from '../../shared/governed/limits.ts';
import { isMissing } from './audit-folder.ts';

const LINE_FEED = 0x0a;
const READ_BYTES = 256 * 1024;

export interface LogLine {
  /** Without the line feed; cut at AUDIT_LINE_MAX_BYTES + 1 when it is longer than a line can be. */
  readonly bytes: Buffer;
  /** False for what follows the last line feed. */
  readonly complete: boolean;
  /** Offset in the file of the byte after this line and its line feed. */
  readonly end: number;
}

/** The lines of the log in order; none when there is no log. Memory is bounded whatever the file holds. */
export async function* readLogLines(path: string): AsyncGenerator<LogLine> {
  const handle = await open(path, 'r').catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (handle === null) return;
  try {
    let rest: Buffer = Buffer.alloc(0);
    let offset = 0;
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(READ_BYTES));
      if (bytesRead === 0) break;
      let from = 0;
      const chunk = buffer.subarray(0, bytesRead);
      for (;;) {
        const end = chunk.indexOf(LINE_FEED, from);
        if (end < 0) break;
        yield { bytes: joined(rest, chunk.subarray(from, end)), complete: true, end: offset + end + 1 };
        rest = Buffer.alloc(0);
        from = end + 1;
      }
      rest = joined(rest, chunk.subarray(from));
      offset += bytesRead;
    }
    if (rest.length > 0) yield { bytes: rest, complete: false, end: offset };
  } finally {
    await handle.close();
  }
}

function joined(rest: Buffer, more: Buffer): Buffer {
  const room = AUDIT_LINE_MAX_BYTES + 1 - rest.length;
  return Buffer.concat([rest, more.subarray(0, Math.max(0, room))]);
}
