import { readFileSync } from 'node:fs';
import { clientScript } from '../client/publish/script.ts';
import { bundledModules } from './bundle.ts';
import type { ConsoleData } from './console/data.ts';
import { consoleChunks, consolePage, previewPage } from './console-page.ts';
import { notices, packagesOf } from './notices.ts';
import { DOCUMENT_NAMES, documentText } from './reference/openapi/files.ts';
import { llmsText, referenceMarkdown, referencePage, startMarkdown } from './reference/reference.ts';
import { skillPages } from './reference/skill/skill.ts';
import { type AbuseContact, securityText } from './security-text.ts';

const file = (contentType: string) => (body: string | Uint8Array) => ({ contentType, body });
const html = file('text/html; charset=utf-8');
const markdown = file('text/markdown; charset=utf-8');
const text = file('text/plain; charset=utf-8');
const script = file('text/javascript; charset=utf-8');
const json = file('application/json');

const ROBOTS = 'User-agent: *\nAllow: /api/v1/openapi\nDisallow: /api/\n';

/** Files by the key of their object: the path under the base URL; `docs/index.html` is at `/docs`. */
export type PageFiles = Readonly<Record<string, PageFile>>;

interface PageFile {
  /** Media type, with its charset for text. */
  readonly contentType: string;
  readonly body: string | Uint8Array;
  /** Its name has a hash of its content. */
  readonly immutable?: true;
}

/** Returns the files of the service's own pages by the key of their object. @param abuse who answers for deployed pages */
export function servicePages(
  data: ConsoleData = { isolated: false, domains: false, looks: true, providers: [] },
  abuse?: AbuseContact,
): PageFiles {
  const asset = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url));
  const documents = DOCUMENT_NAMES.map((name) => [`api/v1/${name}`, json(documentText(name))]);
  const chunks = Object.entries(consoleChunks()).map(
    ([key, body]) => [key, { ...script(body), immutable: true }] as const,
  );
  const pages = {
    'index.html': html(consolePage(data)),
    'index.md': markdown(startMarkdown()),
    'docs/index.html': html(referencePage()),
    'preview/index.html': html(previewPage()),
    'docs.md': markdown(referenceMarkdown()),
    'llms.txt': text(llmsText()),
    'robots.txt': text(ROBOTS),
    'favicon.svg': file('image/svg+xml')(asset('favicon.svg')),
    'favicon.ico': file('image/x-icon')(asset('favicon.ico')),
    'client.js': script(clientScript()),
    'client.d.ts': text(readFileSync(new URL('../dist/client.d.ts', import.meta.url), 'utf8')),
    ...(abuse && { '.well-known/security.txt': text(securityText(abuse, Date.now())) }),
    ...skillPages(),
    ...Object.fromEntries(documents),
    ...Object.fromEntries(chunks),
  };
  // Last, because it lists the packages in the scripts of the other pages.
  return { ...pages, 'licenses.txt': text(notices(packagesOf(bundledModules()))) };
}
