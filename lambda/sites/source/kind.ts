/** What a deploy does with files. */
export type ProjectKind =
  /** They are published as they are. */
  | { readonly kind: 'site' }
  /** They are built first: `pages` are the HTML files that load source, or `component` is the path of a lone component. */
  | { readonly kind: 'source'; readonly pages: readonly string[]; readonly component?: string }
  /** They cannot be built here; `reason` says why and what to do. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Returns what a deploy does with these files. */
export function projectKind(files: ReadonlyMap<string, string | Uint8Array>): ProjectKind {
  const page = String(files.get('index.html') ?? '');
  if (String(files.get('package.json')).includes('"next"'))
    return { kind: 'refused', reason: 'This project uses next, which renders on a server' };
  return /\.(?:tsx|jsx)"/.test(page) ? { kind: 'source', pages: ['index.html'] } : { kind: 'site' };
}
