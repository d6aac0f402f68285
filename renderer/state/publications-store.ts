import { create } from 'zustand';
import type { Publication } from '../../shared/governed/receipt.ts';
import type { AuditCheck, PublicationCheck } from '../../shared/governed/verification.ts';

/** A check of one publication or of the log: on its way, answered, or not possible. */
export type Checking<T> =
  | { readonly kind: 'checking' }
  | { readonly kind: 'checked'; readonly check: T }
  | { readonly kind: 'failed'; readonly message: string };

interface PublicationsStore {
  /** Newest first. Null until the host has said so, and again when the connection is lost. */
  readonly publications: readonly Publication[] | null;
  readonly error: string | null;
  /** By id of the publication. A check says what was so when it was made, and keeps its time. */
  readonly checks: Readonly<Record<string, Checking<PublicationCheck>>>;
  readonly audit: Checking<AuditCheck> | null;
}

export const NO_PUBLICATIONS: PublicationsStore = {
  publications: null,
  error: null,
  checks: {},
  audit: null,
};

export const usePublications = create<PublicationsStore>(() => NO_PUBLICATIONS);

export function publicationId(publication: Publication): string {
  return publication.state === 'published' ? publication.receipt.id : publication.id;
}
