import type { Manifest } from '../../../shared/governed/manifest.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import type { FilePlan, PublicationAuthority } from '../ports.ts';
import type { ViewerFeed } from './viewer-feed.ts';

/** The patterns of one manifest, compiled. */
export interface Matcher {
  /** Whether the whole text matches the pattern of this command. */
  commandMatches(command: string, text: string): boolean;
  /** Whether a trimmed line is the prompt, as a whole. */
  readyMatches(line: string): boolean;
}

/** One start of one principal: the owner of its sessions (E2). */
export interface Run {
  readonly principal: string;
  /** RFC 3339; the same principal's next run has another one. */
  readonly startedAt: string;
  /** Reading of the controller's clock after which nothing of the run is executed or remembered. */
  readonly deadline: number;
}

/** Which session a call belongs to. Nothing here comes from whoever wrote the command (E1–E3). */
export interface SessionOwner {
  readonly run: Run;
  /** Digest of the run, its trusted context and its configuration. */
  readonly binding: string;
  /** Digest of the manifest, its types and the sandbox's boundary with the file grants. */
  readonly contract: string;
}

/** What the first call of a session settles for its whole life; later calls change none of it (E9). */
export interface SessionTerms {
  /** Engine, network and limits of the worker. */
  readonly profile: Profile;
  /** Milliseconds that the profile lets a worker live; null leaves it to the manifest (E17). */
  readonly workerMaxMs: number | null;
  /** Gets the worker's raw output for a person to watch; null when nobody does. */
  readonly viewer: ViewerFeed | null;
}

/**
 * One authorized command: whoever makes this has checked the arguments, the policy and the approval, and has recorded the
 * decision. The controller checks again what bites (E10).
 */
export interface GovernedCall extends SessionOwner, SessionTerms {
  /** Reading of the controller's clock: authorization and time of this call end there (E20). */
  readonly deadline: number;
  readonly manifest: Manifest;
  readonly matcher: Matcher;
  /** `TOOL.COMMAND`. */
  readonly tool: string;
  /** The exact line, without its line end. */
  readonly text: string;
  /** Normalised arguments besides the command; they are never sent (M6). */
  readonly args: Readonly<Record<string, string>>;
  /** The grants of this call, prepared; the caller closes it when the call is over. Null without `[filesystem]`. */
  readonly files: FilePlan | null;
  /** By whose word the output may be published; null where nobody may (X2). */
  readonly authority: PublicationAuthority | null;
}

/** The part of the tool's name before the first dot names the manifest, the rest the command (M4). Null when one is missing. */
export function splitTool(tool: string): { manifest: string; command: string } | null {
  const dot = tool.indexOf('.');
  if (dot <= 0 || dot === tool.length - 1) return null;
  return { manifest: tool.slice(0, dot), command: tool.slice(dot + 1) };
}

/** Whether this call's session owes a file. */
export function grantsOutput({ files }: Pick<GovernedCall, 'files'>): boolean {
  return files !== null && files.descriptor.create.length > 0;
}
