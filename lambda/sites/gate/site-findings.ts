import { decodeHtml } from '../charset.ts';
import { readRedirects } from '../rules/redirects.ts';
import { nameClaims } from './claims.ts';
import { Findings } from './findings.ts';
import { imitatedBrand } from './hosts.ts';
import { type LocalReferences, readPage } from './read-page.ts';
import { readScript } from './read-script.ts';
import type { Reading } from './reading.ts';

/** What browsers show as a page. A drawing is one: it may hold forms and scripts. */
const PAGE = /\.(?:s?html?|xhtml|svg)$/i;
const SCRIPT = /\.(?:m?js|cjs)$/i;

interface PagePart {
  readonly findings: Findings;
  readonly local: LocalReferences;
}

/** What the files of a site do, each read once, and put together for each page with what it loads. */
export class SiteFindings {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #root: string;
  readonly #reading: Reading;

  constructor(files: ReadonlyMap<string, Uint8Array>, root: string, reading: Reading) {
    this.#files = files;
    this.#root = root;
    this.#reading = reading;
  }

  /** Returns the findings of each page with its scripts and frames. The entry gets the scripts that no page names. */
  wholes(entry: string): Map<string, Findings> {
    // The entry is read first, while nothing of the budgets is used.
    const paths = [...this.#files.keys()].toSorted((a, b) => Number(b === entry) - Number(a === entry));
    const pages = new Map(paths.filter((path) => PAGE.test(path)).map((path) => [path, this.#page(path)]));
    const scripts = new Map(
      paths.filter((path) => SCRIPT.test(path)).map((path) => [path, this.#script(path)]),
    );
    const unnamed = new Map(scripts);
    const wholes = new Map<string, Findings>();
    for (const [path, { findings, local }] of pages) {
      const whole = new Findings();
      whole.merge(findings);
      for (const script of this.#resolved(local.scripts, path)) {
        const part = scripts.get(script);
        if (part) whole.merge(part);
        unnamed.delete(script);
      }
      for (const frame of this.#resolved(local.frames, path)) {
        const part = frame === path ? undefined : pages.get(frame);
        if (part) whole.merge(part.findings);
      }
      wholes.set(path, whole);
    }
    const first = wholes.get(entry) ?? new Findings();
    for (const script of unnamed.values()) first.merge(script);
    this.#redirects(first);
    return wholes.set(entry, first);
  }

  #page(path: string): PagePart {
    this.#reading.budget.nextFile();
    const findings = new Findings();
    const local = { scripts: new Set<string>(), frames: new Set<string>() };
    readPage(decodeHtml(this.#files.get(path) ?? ''), findings, this.#reading, 0, local);
    for (const folder of path.slice(this.#root.length).split('/').slice(0, 10))
      findings.claim(nameClaims(folder.replace(PAGE, '')));
    return { findings, local };
  }

  #script(path: string): Findings {
    this.#reading.budget.nextFile();
    const findings = new Findings();
    readScript(new TextDecoder().decode(this.#files.get(path)), findings, this.#reading);
    return findings;
  }

  #resolved(references: ReadonlySet<string>, path: string): ReadonlySet<string> {
    const paths = Array.from(references, (reference) => resolve(reference, path, this.#root));
    return new Set(paths.filter((one) => one !== undefined));
  }

  /** Adds the redirects of all paths, and those to a host that imitates a brand. */
  #redirects(into: Findings): void {
    for (const { from, to } of readRedirects(this.#files.get(`${this.#root}_redirects`))) {
      const target = this.#reading.url(to);
      if (target === undefined) continue;
      const isRoot = from.start.length === 1 && from.start[0] === '';
      if (isRoot || imitatedBrand(target.host)) into.add('redirects', target);
      else into.url(target);
    }
  }
}

/** Returns the path of the file that a page refers to. */
function resolve(reference: string, path: string, root: string): string | undefined {
  const origin = 'http://site.invalid/';
  const base = reference.startsWith('/') ? origin + root : origin + path;
  const relative = reference.startsWith('/') ? reference.replace(/^\/+/, '') : reference;
  const url = URL.parse(relative, base);
  if (url === null || url.origin !== new URL(origin).origin) return undefined;
  try {
    return decodeURIComponent(url.pathname.slice(1));
  } catch {
    return undefined;
  }
}
