import type { SiteResponse } from './site.ts';

export const HTML = 'text/html; charset=utf-8';

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem}
h1{font-size:1.5rem}li{overflow-wrap:anywhere}`;

/** An answer of ours in place of a site. Not cached: it may be another the next moment. */
export function errorResponse(status: number, title: string, message: string, headers = {}): SiteResponse {
  return {
    status,
    headers: { 'Content-Type': HTML, 'Cache-Control': 'no-store', ...headers },
    body: Buffer.from(errorPage(title, message)),
  };
}

/** For a fault of ours; what is cached of the site at the edge is shown instead. */
export function unavailable(): SiteResponse {
  const message = 'This page cannot be loaded right now. Try again in a moment.';
  return errorResponse(503, 'Temporarily unavailable', message, { 'Retry-After': '5' });
}

/** A page of ours that stands where a site has none. */
export function errorPage(title: string, message: string): string {
  return layout(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p>`);
}

/** The page of a site without an entry: its files. */
export function listingPage(paths: readonly string[]): string {
  const items = paths
    .toSorted()
    .map(
      (path) =>
        `<li><a href="${path.split('/').map(encodeURIComponent).join('/')}">${escapeHtml(path)}</a></li>`,
    );
  return layout(
    'Files',
    `<h1>Files</h1><p>This deployment has no HTML page to start from.</p><ul>${items.join('')}</ul>`,
  );
}

function layout(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body>${body}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
