import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, raw } from './html.ts';

export interface Page {
  readonly title: string;
  readonly description: string;
  readonly heading: Html;
  readonly lead: Html;
  /** Links to the sections of a long page. */
  readonly nav?: Html;
  readonly main: Html;
}

const style = readFileSync(new URL('./style.css', import.meta.url), 'utf8');
/** Only the browser knows the origin: the same files can be served at several. */
const script = `for (const line of document.querySelectorAll('[data-base]')) line.textContent = 'BASE=' + location.origin;`;

/** Allows only the style and script of this file, because deployed pages can share the origin. */
const policy = `default-src 'none'; style-src ${digest(style)}; script-src ${digest(script)}; img-src data:; base-uri 'none'; form-action 'none'`;

/** The line of a shell example that sets `$BASE`; the script replaces it with the actual origin. */
export const baseLine = html`<span data-base>BASE=https://…  # the origin of this page</span>`;

/** Returns a page of the service with inline style, so that it loads with one request. */
export function layout({ title, description, heading, lead, nav, main }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 4l5 4-5 4M8 12h6' fill='none' stroke='%230b7' stroke-width='2'/%3E%3C/svg%3E">
<style>${raw(style)}</style>
</head>
<body>
<header>
<h1>${heading}</h1>
<p class="lead">${lead}</p>
</header>
${nav ? html`<nav aria-label="Contents">${nav}</nav>` : html``}
<main>
${main}
</main>
<script>${raw(script)}</script>
</body>
</html>
`.text;
}

/** Returns a hash source for a content security policy (CSP Level 3, 2.3.1). */
function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
