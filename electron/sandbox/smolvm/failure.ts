/**
 * Why something that was asked of a smolvm server was not done.
 * - `not-configured`: the profile lacks or misnames something; nothing was asked.
 * - `unreachable`: no connection, no valid certificate, or no answer in time.
 * - `authentication`: 401 or 403.
 * - `unsupported`: not smolvm, another version, or a machine of a kind that is not supported.
 * - `refused`: the server answered that it does not do it. Nothing was done.
 * - `not-running`: the machine does not run, and may not be started.
 * - `blocked`: a session of this machine runs here, or has not been resolved (rule 10).
 * - `uncertain`: it was asked, and may or may not have been done.
 */
export type SmolvmFailureKind =
  | 'not-configured'
  | 'unreachable'
  | 'authentication'
  | 'unsupported'
  | 'refused'
  | 'not-running'
  | 'blocked'
  | 'uncertain';

/** `message` is for a person: what happened and what to do. It holds nothing of a remote body and no token (rule 14). */
export class SmolvmFailure extends Error {
  readonly kind: SmolvmFailureKind;
  constructor(kind: SmolvmFailureKind, message: string) {
    super(message);
    this.name = 'SmolvmFailure';
    this.kind = kind;
  }
}
