/** The deployment of a session. */
export interface SmokeSite {
  readonly id: string;
  /** The URL of its pages, with a slash at the end: under the base URL, or on its own origin. */
  readonly url: URL;
  readonly live: Version;
  /** The version that was live before. */
  readonly previous?: Version;
}

/** A version of the deployment: it consists of `siteFiles(n)`. */
export interface Version {
  readonly n: number;
  /** Its id in the API. */
  readonly id: string;
}

/** Returns the name of the file of version `n` that has a content hash in its name. */
export const hashedName = (n: number) => `assets/app-a1c3e5${n.toString(16).padStart(2, '0')}.js`;

/** Returns the files of version `n`, two of which only this version has. */
export function siteFiles(n: number) {
  const script = `<script type="module" src="${hashedName(n)}"></script>`;
  return [
    { path: 'index.html', content: `<!doctype html><title>Version ${n}</title>${script}<p>Smoke test` },
    { path: 'style.css', content: 'body { color: green }' },
    { path: hashedName(n), content: `document.body.append(' of version ${n}')` },
    { path: `only-in-${n}.txt`, content: `Only version ${n} has this file` },
  ];
}
