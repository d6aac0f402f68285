import { OUT_FOLDER } from '../../shared/terminal/inside.ts';
import type { Bound, SandboxPosture } from '../../shared/terminal/posture.ts';
import { formatBytes } from '../ui/format.ts';

/**
 * A sandbox's posture as short facts, the most important first: what it can reach, then what it can touch, then how
 * it is bounded. A line of them may be shortened only by whole facts from its end.
 */
export interface PostureFact {
  readonly id: string;
  readonly text: string;
  /** `attention`: more can get in or out than by default. */
  readonly tone: 'plain' | 'attention';
}

/** One row of the complete account. `literal` is a path or another thing that is to be read byte for byte. */
export interface PostureRow {
  readonly term: string;
  readonly value: string;
  readonly literal?: string;
  readonly tone: 'plain' | 'attention';
}

/** The version stands with the product, before what is said of it: "Docker 20.10.24, attached to db". */
export function engineWords({ engine, engineVersion }: SandboxPosture): string {
  const [product = '', ...rest] = engine.split(', ');
  return [`${product} ${engineVersion}`.trim(), ...rest].join(', ');
}

type Mount = SandboxPosture['mounts'][number];

/** `files`: what a governed session's manifest grants, in place of the mounts that it is done with. */
export function postureFacts(posture: SandboxPosture, files: readonly PostureFact[] = []): PostureFact[] {
  const { limits } = posture;
  const mounts = files.length > 0 ? [] : posture.mounts;
  const writable = mounts.filter((mount) => mount.access === 'read-write');
  const readOnly = mounts.filter((mount) => mount.access === 'read-only');
  return [
    networkFact(posture.network),
    ...files,
    ...writable.map((mount) => fact(`mount ${mount.target}`, `${mountName(mount)} writable`, 'attention')),
    ...readOnly.map((mount) => fact(`mount ${mount.target}`, `${mountName(mount)} read-only`)),
    ...(posture.filesUnknown && files.length === 0 ? [fact('files', 'files unknown', 'attention')] : []),
    ...(isClosed(posture) && files.length === 0 ? [fact('mounts', 'none of your files')] : []),
    boundFact('memory', 'memory', limits.memoryBytes, formatBytes),
    boundFact('processes', 'processes', limits.processes, (count) => `${count} processes`),
    boundFact('cpu', 'CPU', limits.cpuPercent, cpuWords),
  ];
}

/** "No network · project read-only · 1 GiB": every fact, as one sentence for titles and screen readers. */
export function postureSentence(posture: SandboxPosture, files: readonly PostureFact[] = []): string {
  const texts = [...postureFacts(posture, files).map((entry) => entry.text), recordedWords(posture)];
  return capitalised(texts.join(' · '));
}

export function recordedWords(posture: SandboxPosture): string {
  if (posture.recordingStopped !== undefined) return 'no longer recorded';
  return posture.recorded ? 'recorded' : 'not recorded';
}

/** Everything the engine applied, in words. */
export function postureRows(posture: SandboxPosture): PostureRow[] {
  const { limits } = posture;
  return [
    { term: 'Engine', value: engineWords(posture), tone: 'plain' },
    networkRow(posture.network),
    ...mountRows(posture),
    { term: 'User', value: posture.user, tone: 'plain' },
    bound('Memory', limits.memoryBytes, formatBytes),
    bound('Processes', limits.processes, (count) => `at most ${count}`),
    bound('Open files', limits.openFiles, (count) => `at most ${count} for each process`),
    bound('CPU', limits.cpuPercent, cpuWords),
    bound('Home folder', limits.homeBytes, (bytes) => `${formatBytes(bytes)}, gone with the session`),
    ...(limits.outBytes === undefined
      ? []
      : [bound(OUT_FOLDER, limits.outBytes, (bytes) => `${formatBytes(bytes)}, for files to publish`)]),
    bound('/tmp', limits.tmpBytes, (bytes) => `${formatBytes(bytes)}, gone with the session`),
    ...(limits.fileBytes
      ? [bound('Each file', limits.fileBytes, (bytes) => `at most ${formatBytes(bytes)}`)]
      : []),
    { term: 'Enforced by', value: limits.enforcedBy, tone: 'plain' },
    transcriptRow(posture),
  ];
}

function transcriptRow(posture: SandboxPosture): PostureRow {
  const words = recordedWords(posture);
  const why = posture.recordingStopped;
  if (why === undefined) return { term: 'Transcript', value: words, tone: 'plain' };
  return { term: 'Transcript', value: `${words}. ${why}`, tone: 'attention' };
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function fact(id: string, text: string, tone: PostureFact['tone'] = 'plain'): PostureFact {
  return { id, text, tone };
}

function boundFact(id: string, what: string, value: Bound, words: (value: number) => string): PostureFact {
  if (value === 'unknown') return fact(id, `${what} unknown`, 'attention');
  return value === null ? fact(id, `${what} unbounded`, 'attention') : fact(id, words(value));
}

function networkFact(network: SandboxPosture['network']): PostureFact {
  if (network === 'none') return fact('network', 'no network');
  return network === 'host'
    ? fact('network', 'network on', 'attention')
    : fact('network', 'network unknown', 'attention');
}

function networkRow(network: SandboxPosture['network']): PostureRow {
  const values = {
    none: 'none, only its own loopback',
    host: 'on, everything that the machine it runs on can reach',
    unknown: 'unknown, the engine could not tell',
  };
  return { term: 'Network', value: values[network], tone: network === 'none' ? 'plain' : 'attention' };
}

/** That nothing of a machine's files is in it is known. */
function isClosed({ mounts, filesUnknown }: SandboxPosture): boolean {
  return mounts.length === 0 && !filesUnknown;
}

function mountRows(posture: SandboxPosture): PostureRow[] {
  if (isClosed(posture)) return [{ term: 'Your files', value: 'none', tone: 'plain' }];
  return [...knownMountRows(posture.mounts), ...(posture.filesUnknown ? [FILES_UNKNOWN] : [])];
}

const FILES_UNKNOWN: PostureRow = {
  term: 'Files',
  value: 'unknown, it was there before: the engine cannot tell what it sees of a machine’s files',
  tone: 'attention',
};

function knownMountRows(mounts: readonly Mount[]): PostureRow[] {
  const writableFirst = mounts.toSorted(
    (a, b) => Number(a.access === 'read-only') - Number(b.access === 'read-only'),
  );
  return writableFirst.map((mount) => ({
    term: capitalised(mountName(mount)),
    value: mount.access === 'read-only' ? `read-only at ${mount.target}` : `writable at ${mount.target}`,
    literal: mount.source,
    tone: mount.access === 'read-only' ? 'plain' : 'attention',
  }));
}

/** The last component of where it is mounted: "project" for the project folder. */
function mountName(mount: Mount): string {
  return mount.target.split('/').findLast((part) => part !== '') ?? mount.target;
}

function cpuWords(percent: number): string {
  if (percent % 100 !== 0) return `${percent}% of a core`;
  return percent === 100 ? '1 core' : `${percent / 100} cores`;
}

function bound(term: string, value: Bound, words: (value: number) => string): PostureRow {
  if (value === 'unknown') return { term, value: 'unknown, the engine cannot tell', tone: 'attention' };
  return value === null
    ? { term, value: 'nothing bounds it', tone: 'attention' }
    : { term, value: words(value), tone: 'plain' };
}
