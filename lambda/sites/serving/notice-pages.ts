import { escapeHtml } from '../../platform/html.ts';
import { HTML, plainPage } from '../../platform/plain-page.ts';
import type { SiteResponse } from './site-response.ts';

/** Returns a page of the service in place of a site. It is not cached, because the reason may change at any time. */
export function errorResponse(status: number, title: string, message: string, headers = {}): SiteResponse {
  return {
    status,
    headers: { 'Content-Type': HTML, 'Cache-Control': 'no-store', ...headers },
    body: Buffer.from(errorPage(title, message)),
  };
}

/** Returns the response to a fault of the service. The edge serves the cached site instead where it can. */
export function unavailable(): SiteResponse {
  const message = 'This page cannot be loaded right now. Try again in a moment.';
  return errorResponse(503, 'Temporarily unavailable', message, { 'Retry-After': '5' });
}

/** Returns an error page. @param home the URL of the site's start page, if there is a site */
export function errorPage(title: string, message: string, home?: string): string {
  const link = home === undefined ? '' : ` <a href="${escapeHtml(home)}">To the start of the site</a>`;
  return plainPage(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}${link}</p>`);
}

/** Compares digits as numbers: `2.html` before `10.html`. */
const byName = new Intl.Collator('en', { numeric: true }).compare;

/** Returns the page of a site without an entry: a list of its files, those at the root first. */
export function listingPage(files: ReadonlyMap<string, Uint8Array>): string {
  const depth = (path: string) => path.split('/').length;
  const items = [...files]
    .toSorted(([a], [b]) => Number(depth(a) > 1) - Number(depth(b) > 1) || byName(a, b))
    .map(([path, { length }]) => {
      const href = path.split('/').map(encodeURIComponent).join('/');
      return `<li><a href="${href}">${escapeHtml(path)}</a> <small>${size(length)}</small></li>`;
    });
  return plainPage(
    'Files',
    `<h1>Files</h1><p>This deployment has no HTML page to start from.</p><ul>${items.join('')}</ul>`,
  );
}

function size(bytes: number): string {
  if (bytes < 1_024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}
