import { escapeHtml, HTML, plainPage } from '../../platform/html.ts';
import type { SiteResponse } from './respond.ts';

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

/** Where the links of a page in place of one of a site lead. */
interface NoticeLinks {
  /** The start page of the site. */
  readonly home: string;
  /** The form for reports of the site. */
  readonly report: string | undefined;
}

/** Returns an error page. @param links if there is a site */
export function errorPage(title: string, message: string, links?: NoticeLinks): string {
  const home = links === undefined ? '' : ` <a href="${escapeHtml(links.home)}">To the start of the site</a>`;
  const report = reportLine(links?.report);
  return plainPage(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}${home}</p>${report}`);
}

/**
 * Returns the line with which the service's own pages lead to the form for reports, without a URL nothing. With the address of a
 * deployed page as referrer, the edge would take the form for a page of the site.
 */
export function reportLine(url: string | undefined, text = 'Report this page'): string {
  if (url === undefined) return '';
  return `<p><small><a href="${escapeHtml(url)}" rel="nofollow noreferrer">${escapeHtml(text)}</a></small></p>`;
}

/**
 * Returns the page in place of one that is held, which tells its owner why and what to do.
 * @param claimable the id of the deployment if a key can claim it
 * @param reasons what the gate found, if anyone may know
 * @param form for reports, which also takes what its owner has to say
 */
export function heldResponse(
  claimable: string | undefined,
  reasons: readonly { readonly path: string; readonly reason: string }[],
  form: string | undefined,
): SiteResponse {
  const review = 'ask the operator of this service for a review';
  const ask = form === undefined ? review : `<a href="${escapeHtml(form)}" rel="nofollow noreferrer">${review}</a>`;
  const items = reasons.map(({ path, reason }) => `<li><code>${escapeHtml(path)}</code>: ${escapeHtml(reason)}</li>`);
  const why = items.length > 0 ? `<p>Why it is held:</p><ul>${items.join('')}</ul>` : '';
  const claim =
    claimable === undefined
      ? ''
      : `, or claim the page with an API key (<code>POST /api/v1/deployments/${escapeHtml(claimable)}/claim</code>): pages of a key may do more`;
  const body = `<h1>Held for review</h1><p>This page is not public, because it looks like pages that deceive their visitors.</p>
<h2>If you published it</h2>${why}<p>Publish other files${claim}. Or ${ask}.</p>${reportLine(form)}`;
  const { status, headers } = errorResponse(403, '', '', { 'X-Robots-Tag': 'noindex' });
  return { status, headers, body: Buffer.from(plainPage('Held for review', body)) };
}

/** Compares digits as numbers: `2.html` before `10.html`. */
const byName = new Intl.Collator('en', { numeric: true }).compare;

/** Returns the page of a site without an entry: a list of its files, those at the root first. @param report as in `NoticeLinks` */
export function listingPage(files: ReadonlyMap<string, Uint8Array>, report?: string): string {
  const depth = (path: string) => path.split('/').length;
  const items = [...files]
    .toSorted(([a], [b]) => Number(depth(a) > 1) - Number(depth(b) > 1) || byName(a, b))
    .map(([path, { length }]) => {
      const href = path.split('/').map(encodeURIComponent).join('/');
      return `<li><a href="${href}">${escapeHtml(path)}</a> <small>${size(length)}</small></li>`;
    });
  return plainPage(
    'Files',
    `<h1>Files</h1><p>This deployment has no HTML page to start from.</p><ul>${items.join('')}</ul>${reportLine(report)}`,
  );
}

function size(bytes: number): string {
  if (bytes < 1_024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}
