import { preferredLanguage } from '../platform/accept-headers.ts';
import { escapeHtml, HTML, plainPage } from '../platform/html.ts';
import { reportLine } from '../sites/serving/notice-pages.ts';
import type { SiteResponse } from '../sites/serving/site-response.ts';
import type { Access } from '../stored/page-access.ts';
import { LANGUAGES, PRIVATE_TEXTS } from './private-texts.ts';

/** What a visitor sees in place of a private page. */
export interface Closed {
  readonly id: string;
  readonly type: Access['type'];
  /** The path and query of the page on its origin. */
  readonly to: string;
  /** Why a password was refused: `wrong` or `wait`, as a form's response has it in the query. */
  readonly refused: string | null;
  /** The Accept-Language header. */
  readonly acceptLanguage: string | undefined;
  /** Where the service is, without a slash at the end. */
  readonly baseUrl: string;
}

/** Returns the page that asks for the password, or says that there is a link. It works without a script. */
export function closedResponse(closed: Closed): SiteResponse {
  const lang = preferredLanguage(closed.acceptLanguage, LANGUAGES);
  const texts = PRIVATE_TEXTS[lang];
  const title = `<h1>${texts.title}</h1>`;
  const body = closed.type === 'password' ? passwordForm(closed, texts) : `<p>${texts.link}</p>`;
  return {
    status: 403,
    headers: {
      'Content-Type': HTML,
      'Content-Language': lang,
      'Cache-Control': 'private, no-store',
      // After the form was sent, the redirect leads back to this origin.
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${closed.baseUrl}`,
      // The service reads the origin that a form was sent from.
      'Referrer-Policy': 'origin',
    },
    body: Buffer.from(
      plainPage(
        texts.title,
        title + body + reportLine(`${closed.baseUrl}/report?page=${closed.id}`, texts.report),
        lang,
      ),
    ),
  };
}

function passwordForm(
  { id, to, refused, baseUrl }: Closed,
  texts: (typeof PRIVATE_TEXTS)[keyof typeof PRIVATE_TEXTS],
) {
  const problem = refused === 'wrong' || refused === 'wait' ? texts[refused] : undefined;
  const alert = problem === undefined ? '' : `<p id="problem" role="alert">${problem}</p>`;
  const described = problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"';
  return `<p>${texts.ask}</p>${alert}<form method="post" action="${escapeHtml(baseUrl)}/api/v1/deployments/${id}/unlock"><input type="hidden" name="to" value="${escapeHtml(to)}"><label for="password">${texts.password}</label><input id="password" name="password" type="password" autocomplete="current-password" required autofocus${described}><button>${texts.open}</button></form>`;
}
