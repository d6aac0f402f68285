import { visibleLine } from '../../../../shared/terminal/visible-text.ts';
import { castLine, formatHeader } from '../../cast/encoder.ts';
import { LABEL } from '../redaction/cut-text.ts';
import type { Exported, ExportedEvent } from './exported.ts';

/** A whole recording as one asciicast v3 file, line by line, each with its end. */
export function castLines(exported: Exported): Generator<string> {
  return lines(exported, exported.events());
}

/** As `castLines`, for a page: what every player knows, and nothing hidden in the labels that it shows. */
export function playedLines(exported: Exported): Generator<string> {
  return lines(exported, played(exported.events()));
}

function* lines({ header }: Exported, events: Iterable<ExportedEvent>): Generator<string> {
  yield formatHeader(header);
  let lastUs = 0;
  for (const { atUs, code, data } of events) {
    yield castLine(atUs - lastUs, code, data);
    lastUs = atUs;
  }
}

const PLAYED_CODES: ReadonlySet<string> = new Set(['o', 'i', 'r', 'm', 'x']);

function* played(events: Iterable<ExportedEvent>): Generator<ExportedEvent> {
  for (const event of events) {
    if (!PLAYED_CODES.has(event.code)) continue;
    yield event.code === 'm' ? { ...event, data: visibleLine(event.data, LABEL.maxChars) } : event;
  }
}
