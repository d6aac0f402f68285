import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from '../../../shared/disposable.ts';
import { Emitter } from '../../../shared/emitter.ts';
import { RECORDER_CLOSE_DEADLINE_MS } from '../../../shared/transcripts/limits.ts';
import type { UntimedMoment } from '../../../shared/transcripts/moment.ts';
import { transcriptIdSchema } from '../../../shared/transcripts/transcript.ts';
import { postureWords } from '../../governed/planned-posture.ts';
import { withDeadline } from '../../session/deadline.ts';
import type {
  RecordedFacts,
  SessionRecording,
  SessionRecordings,
  TranscriptPlace,
} from '../../session/recording.ts';
import type { CastHeader } from '../cast/header.ts';
import type { FromRecorder, RecordingPlan } from './messages.ts';
import { Recorder } from './recorder.ts';
import { type RecorderThread, type StartThread, startThread } from './recorder-thread.ts';

const MIB = 1024 * 1024;

export interface RecordingsOptions {
  /** Of all transcripts, one folder each; made when missing. */
  readonly folder: string;
  /** Steady milliseconds. */
  readonly now?: () => number;
  readonly thread?: StartThread;
}

/** How far the file of a recording has come. */
export interface RecordingProgress {
  readonly id: string;
  /** Whole lines on disk, all segments: as far as it can be read. */
  readonly bytes: number;
  /** Nothing follows. */
  readonly ended: boolean;
}

/**
 * Every recording of a host. What sessions say is written by one thread, made with the first recording; when it dies, what
 * it recorded has stopped, and another one says so in the files, and how their sessions end.
 */
export class Recordings implements SessionRecordings {
  readonly folder: string;
  readonly #now: () => number;
  readonly #startThread: StartThread;
  readonly #recorders = new Map<string, { readonly recorder: Recorder; readonly plan: RecordingPlan }>();
  readonly #events = new Emitter<{ progress: RecordingProgress }>();
  #thread: RecorderThread | null = null;

  constructor({ folder, now = () => performance.now(), thread = startThread }: RecordingsOptions) {
    this.folder = folder;
    this.#now = now;
    this.#startThread = thread;
  }

  start(facts: RecordedFacts): SessionRecording {
    const { id, profile } = facts;
    const recorder = new Recorder({
      id,
      recordsInput: profile.recordInput,
      now: this.#now,
      post: (message) => this.#requireThread().post(message),
    });
    const plan = {
      folder: this.folderOf(id),
      header: headerOf(facts),
      maxBytes: profile.recordMaxMiB * MIB,
    };
    this.#recorders.set(id, { recorder, plan });
    this.#requireThread().post({ kind: 'start', id, plan });
    return recorder;
  }

  /** Ids of sessions whose files are not finished. */
  get running(): readonly string[] {
    return [...this.#recorders.keys()];
  }

  /** Does nothing for a session that is not recorded, or not any more. */
  mark(sessionId: string, moment: UntimedMoment): void {
    this.#recorders.get(sessionId)?.recorder.mark(moment);
  }

  /** Where a session's transcript is now; null when it is not recorded, or not any more. */
  placeOf(sessionId: string): TranscriptPlace | null {
    return this.#recorders.get(sessionId)?.recorder.place ?? null;
  }

  /** Told whenever something was written, and when nothing can be any more. */
  onProgress(listener: (progress: RecordingProgress) => void): Disposable {
    return this.#events.on('progress', listener);
  }

  folderOf(id: string): string {
    return join(this.folder, id);
  }

  /** Ids of the transcripts that there are, in no order. Rejects when the folder cannot be listed. */
  async list(): Promise<string[]> {
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      },
    );
    return entries
      .filter((entry) => entry.isDirectory() && transcriptIdSchema.safeParse(entry.name).success)
      .map(({ name }) => name);
  }

  /** When every session has ended: resolves when their files are finished, or the deadline has passed. Never rejects. */
  async close(): Promise<void> {
    const written = [...this.#recorders.values()].map(({ recorder }) => recorder.written());
    await withDeadline(Promise.all(written), RECORDER_CLOSE_DEADLINE_MS, () => []);
    const stopping = this.#thread?.stop();
    this.#thread = null;
    for (const { recorder } of [...this.#recorders.values()]) this.#lose(recorder, 'Airlock was closed.');
    await stopping;
  }

  #requireThread(): RecorderThread {
    this.#thread ??= this.#startThread({
      answered: (answer) => this.#answered(answer),
      died: (reason) => {
        this.#thread = null;
        this.#moveOn(`The recorder failed: ${reason}.`);
      },
    });
    return this.#thread;
  }

  #answered(answer: FromRecorder): void {
    const { id, written: bytes, ended } = answer;
    const recorder = this.#recorders.get(id)?.recorder;
    if (ended) this.#recorders.delete(id);
    recorder?.answered(answer);
    this.#events.fire('progress', { id, bytes, ended });
  }

  /** Another thread ends the files of those that were being written. */
  #moveOn(why: string): void {
    for (const { recorder, plan } of [...this.#recorders.values()])
      if (!recorder.moved(why, plan)) this.#lose(recorder, why);
  }

  #lose(recorder: Recorder, why: string): void {
    const { id, bytesOnDisk: bytes } = recorder;
    this.#recorders.delete(id);
    recorder.lost(why);
    this.#events.fire('progress', { id, bytes, ended: true });
  }
}

function headerOf({ id, kind, title, profile, posture, size }: RecordedFacts): CastHeader {
  return {
    version: 3,
    term: { ...size, type: kind === 'shell' ? 'xterm-256color' : 'dumb' },
    title,
    ...(kind === 'shell' && { command: profile.command.join(' ') }),
    airlock: {
      format: 1,
      ...{ id, segment: 1, kind, profileId: profile.id, profileName: profile.name, engine: profile.engine },
      // Before its first command a governed session has the engine that was asked for, and no more.
      ...(posture.engine === profile.engine ? {} : { product: posture.engine }),
      posture: postureWords(posture),
      recordsInput: profile.recordInput,
      startOffsetUs: 0,
    },
  };
}
