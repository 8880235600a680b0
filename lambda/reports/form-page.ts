import { REPORT_LIMITS, REPORT_REASONS } from '../contract/reports.ts';
import { escapeHtml } from '../platform/html.ts';
import type { VisitorLanguage } from '../platform/visitor-language.ts';
import type { FormFields } from './form-fields.ts';
import { FORM_TEXTS, type Refusal } from './form-texts.ts';

/** Nothing runs or loads on these pages, and their forms go nowhere else. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'";

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:8vh auto;padding:0 1.5rem}
h1{font-size:1.5rem}fieldset{border:0;padding:0;margin:0}label,legend{font-weight:600;padding:0}
.choice{display:flex;gap:.6rem;align-items:baseline;margin:.4rem 0}.choice label{font-weight:400}
input[type=text],input[type=email],textarea,button{font:inherit;box-sizing:border-box;padding:.5rem;border:1px solid GrayText;border-radius:.3rem}
input[type=text],input[type=email],textarea{width:100%;background:Field;color:FieldText}
.field{margin:1.4rem 0}small{display:block}button{padding:.6rem 1.2rem;font-weight:600}
[role=alert]{border-left:.3rem solid #c0392b;padding:.5rem 1rem;font-weight:600}`;

export interface FormView {
  readonly language: VisitorLanguage;
  /** The operator's e-mail address or https URL, if the stage has one. */
  readonly abuse: string | undefined;
}

/** Returns the form, with what was entered before. @param refusal why the report was not accepted */
export function formPage(fields: FormFields, { language, abuse }: FormView, refusal?: Refusal): string {
  const texts = FORM_TEXTS[language];
  const { url = '', reason, details = '', contact = '' } = fields;
  const alert = refusal && `<p role="alert">${escapeHtml(texts.refusals[refusal])}</p>`;
  const reasons = REPORT_REASONS.map(
    (one) =>
      `<div class="choice"><input type="radio" name="reason" id="${one}" value="${one}" required${one === reason ? ' checked' : ''}><label for="${one}">${escapeHtml(texts.reasons[one])}</label></div>`,
  );
  const body = `${alert ?? ''}<p>${escapeHtml(texts.intro)}</p>
<form method="post" action="/report">
${labeled('url', texts.page, texts.pageHint, `<input type="text" inputmode="url" autocapitalize="none" spellcheck="false" maxlength="${REPORT_LIMITS.url}" required value="${escapeHtml(url)}"`)}
<fieldset class="field"><legend>${escapeHtml(texts.reason)}</legend>${reasons.join('')}</fieldset>
${labeled('details', texts.details, texts.detailsHint, `<textarea rows="5" maxlength="${REPORT_LIMITS.details}"`, `${escapeHtml(details)}</textarea>`)}
${labeled('contact', texts.contact, texts.contactHint, `<input type="email" autocomplete="email" maxlength="${REPORT_LIMITS.contact}" value="${escapeHtml(contact)}"`)}
<button>${escapeHtml(texts.send)}</button>
</form>${abuse === undefined ? '' : `<p>${escapeHtml(texts.orWrite)} ${contactLink(abuse)}.</p>`}`;
  const title = refusal ? `${texts.error}: ${texts.title}` : texts.title;
  return layout(language, title, texts.title, body);
}

/** Returns the page after a report. */
export function sentPage(id: string, language: VisitorLanguage): string {
  const { sent, thanks, number } = FORM_TEXTS[language];
  const text = `${escapeHtml(thanks)} ${escapeHtml(number)} <code>${escapeHtml(id)}</code>.`;
  return layout(language, sent, sent, `<p role="status">${text}</p>`);
}

/** @param element without its name, its id and the end of its tag */
function labeled(name: string, label: string, hint: string, element: string, rest = ''): string {
  return `<div class="field"><label for="${name}">${escapeHtml(label)}</label>${element} name="${name}" id="${name}" aria-describedby="${name}-hint">${rest}<small id="${name}-hint">${escapeHtml(hint)}</small></div>`;
}

function contactLink(abuse: string): string {
  const href = abuse.startsWith('https:') ? abuse : `mailto:${abuse}`;
  return `<a href="${escapeHtml(href)}">${escapeHtml(abuse)}</a>`;
}

function layout(language: VisitorLanguage, title: string, heading: string, body: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main><h1>${escapeHtml(heading)}</h1>${body}</main></body></html>`;
}
