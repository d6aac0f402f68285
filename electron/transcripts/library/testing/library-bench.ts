import { openIndexToRead } from '../index/index-file.ts';
import { IndexKeeper, type KeeperOptions } from '../index/index-keeper.ts';
import { Catalogue, type ListQuery } from '../query/catalogue.ts';
import { IndexReader } from '../query/index-reader.ts';
import { type Recorded, type RecordingOptions, TestTranscripts } from './recordings.ts';

/** Keeper and catalogue in this thread, over a folder of their own. */
export class LibraryBench {
  readonly transcripts: TestTranscripts;
  readonly faults: unknown[] = [];
  keeper: IndexKeeper | null = null;

  add(events: readonly Recorded[], options?: RecordingOptions): string {
    return this.transcripts.add(events, options);
  }

  constructor(transcripts = new TestTranscripts()) {
    this.transcripts = transcripts;
  }

  get folder(): string {
    return this.transcripts.folder;
  }

  start(options: Partial<KeeperOptions> = {}): IndexKeeper {
    this.keeper = new IndexKeeper({
      folder: this.folder,
      changed: () => {},
      report: (fault) => this.faults.push(fault),
      ...options,
    });
    return this.keeper;
  }

  /** Indexes whatever there is. */
  async indexed(): Promise<Catalogue> {
    const keeper = this.keeper ?? this.start();
    keeper.scan();
    await keeper.idle();
    return this.open();
  }

  open(): Catalogue {
    return new Catalogue(new IndexReader(openIndexToRead(this.folder).database), this.folder);
  }

  dispose(): void {
    this.keeper?.dispose();
    this.transcripts.dispose();
  }
}

export function query(change: Partial<ListQuery> = {}): ListQuery {
  return { search: '', raw: false, filters: {}, limit: 50, ...change };
}
