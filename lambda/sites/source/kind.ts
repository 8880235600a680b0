/** What a deploy does with files. */
export type ProjectKind =
  /** They are published as they are. */
  | { readonly kind: 'site' }
  /** They are built first: `pages` are the HTML files that load source, or `component` is the path of a lone component. */
  | { readonly kind: 'source'; readonly pages: readonly string[]; readonly component?: string }
  /** They cannot be built here; `reason` says why and what to do. */
  | { readonly kind: 'refused'; readonly reason: string };
