import * as z from 'zod';
import { ApiError } from '../contract/errors.ts';
import { REPORT_LIMITS, REPORT_REASONS } from '../contract/reports.ts';
import { formBody, isForm } from '../http/input.ts';
import type { ApiRequest } from '../http/request.ts';
import { escapeHtml, plainPage } from '../platform/html.ts';
import { DEPLOYMENT_ID } from '../stored/deployment.ts';
import { FORM_TEXTS, type FormLanguage, type FormTexts, type Refusal } from './form-texts.ts';

/** Nothing runs or loads on these pages, and their forms go nowhere else. */
export const FORM_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export interface FormView {
  readonly language: FormLanguage;
  /** The operator's e-mail address or https URL, if the stage has one. */
  readonly abuse: string | undefined;
}

/** Returns the form, with what was entered before. @param refusal why the report was not accepted */
export function formPage(fields: FormFields, { language, abuse }: FormView, refusal?: Refusal): string {
  const texts = FORM_TEXTS[language];
  const { url = '', reason, details = '', contact = '' } = fields;
  const alert = refusal === undefined ? '' : `<p role="alert">${escapeHtml(texts.refusals[refusal])}</p>`;
  const title = refusal === undefined ? texts.title : `${texts.error}: ${texts.title}`;
  const orWrite = abuse === undefined ? '' : `<p>${escapeHtml(texts.orWrite)} ${contactLink(abuse)}.</p>`;
  const body = `<h1>${escapeHtml(texts.title)}</h1>${alert}<p>${escapeHtml(texts.intro)}</p>
<form method="post" action="/report">
${labeled('url', texts.page, texts.pageHint)}<input ${described('url')} inputmode="url" autocapitalize="none" spellcheck="false" maxlength="${REPORT_LIMITS.url}" required value="${escapeHtml(url)}">
${reasonField(texts, reason)}
${labeled('details', texts.details, texts.detailsHint)}<textarea ${described('details')} rows="5" maxlength="${REPORT_LIMITS.details}">${escapeHtml(details)}</textarea>
${labeled('contact', texts.contact, texts.contactHint)}<input ${described('contact')} type="email" autocomplete="email" maxlength="${REPORT_LIMITS.contact}" value="${escapeHtml(contact)}">
<button>${escapeHtml(texts.send)}</button>
</form>${orWrite}`;
  return plainPage(title, body, language);
}

/** Returns the page after a report. */
export function sentPage(id: string, language: FormLanguage): string {
  const { sent, thanks, number } = FORM_TEXTS[language];
  const text = `${escapeHtml(thanks)} ${escapeHtml(number)} <code>${escapeHtml(id)}</code>.`;
  return plainPage(sent, `<h1>${escapeHtml(sent)}</h1><p role="status">${text}</p>`, language);
}

function reasonField({ reason: legend, reasons }: FormTexts, chosen: string | undefined): string {
  const choices = REPORT_REASONS.map(
    (one) =>
      `<label><input type="radio" name="reason" value="${one}" required${one === chosen ? ' checked' : ''}> ${escapeHtml(reasons[one])}</label>`,
  );
  return `<fieldset><legend>${escapeHtml(legend)}</legend>${choices.join('')}</fieldset>`;
}

function labeled(name: string, label: string, hint: string): string {
  return `<label for="${name}">${escapeHtml(label)}</label><small id="${name}-hint">${escapeHtml(hint)}</small>`;
}

const described = (name: string) => `id="${name}" name="${name}" aria-describedby="${name}-hint"`;

function contactLink(abuse: string): string {
  const href = abuse.startsWith('https:') ? abuse : `mailto:${abuse}`;
  return `<a href="${escapeHtml(href)}">${escapeHtml(abuse)}</a>`;
}

/** The fields of the form as they were entered, whatever they are. */
const anyFields = z.object({
  url: z.string().optional(),
  reason: z.string().optional(),
  details: z.string().optional(),
  contact: z.string().optional(),
});

type FormFields = z.output<typeof anyFields>;

/** Returns what a link to the form fills in. @param query `page` is the id of a deployment, or an address */
export function linkedFields({ query }: Pick<ApiRequest, 'query'>, baseUrl: string): FormFields {
  const { page = '' } = query;
  if (page === '') return {};
  return { url: DEPLOYMENT_ID.test(page) ? `${baseUrl}/d/${page}` : page };
}

/** Returns what a person had entered when something went wrong, so that nobody has to enter it again. */
export function enteredFields(request: ApiRequest, baseUrl: string): FormFields {
  if (request.method !== 'POST') return linkedFields(request, baseUrl);
  if (!isForm(request)) return {};
  try {
    return formBody(request, anyFields);
  } catch (error) {
    if (error instanceof ApiError) return {};
    throw error;
  }
}
