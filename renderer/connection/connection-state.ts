/** Where the page's connection to its host stands. `reason` is for a person. */
export type ConnectionState =
  | { readonly kind: 'connecting' }
  /** Only a new launch address, or a host of the same version, helps. */
  | { readonly kind: 'signed-out'; readonly reason: string }
  | { readonly kind: 'connected' }
  /** The link is gone and with it every session of this page (ST-23); `connect` makes a new one. */
  | { readonly kind: 'lost'; readonly reason: string };
