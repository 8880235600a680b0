import { preferredLanguage } from '../../platform/accept-headers.ts';
import { escapeHtml, HTML, plainPage } from '../../platform/html.ts';
import {
  type DataProblem,
  type DataRequest,
  type DataResponse,
  type ErrorCode,
  isNavigation,
  jsonResponse,
  privately,
  STATUSES,
} from './http.ts';

/** What a page after a form says. */
interface FormOutcome {
  readonly status: number;
  /** Absent if the form was stored. */
  readonly code?: ErrorCode;
  /** The field that is not valid. */
  readonly field?: string;
}

/** Leads back to the form with what was typed, which a link to it would lose. Its hash is in the policy of the page. */
export const BACK_SCRIPT = `document.getElementById('back').onclick=()=>{history.back();return false}`;
export const BACK_HASH = 'sha256-1N5HK4AgmV+Aqnb++04zToYarRl7e8ZLaVJhPgdWLM0=';

/**
 * Returns the page that a visitor sees after a form without a script.
 * @param back path of the page with the form, for browsers without scripts
 */
export function formPage(
  { status, code, field }: FormOutcome,
  acceptLanguage: string | undefined,
  back: string,
): DataResponse {
  const lang = preferredLanguage(acceptLanguage, LANGUAGES);
  const texts = FORM_TEXTS[lang];
  const { title, text } = code === undefined ? received(texts) : refused(texts, code, field);
  const body = `<h1>${title}</h1>${text}<p><a id="back" href="${escapeHtml(back)}">${texts.back}</a></p><script>${BACK_SCRIPT}</script>`;
  return {
    status,
    headers: {
      'Content-Type': HTML,
      'Content-Language': lang,
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; script-src '${BACK_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'self'; form-action 'none'`,
    },
    body: new TextEncoder().encode(plainPage(title, body, lang)),
  };
}

type Texts = (typeof FORM_TEXTS)[keyof typeof FORM_TEXTS];

function received({ sent: [title, text] }: Texts) {
  return { title, text: `<p role="status">${text}</p>` };
}

function refused(texts: Texts, code: ErrorCode, field: string | undefined) {
  const [title, text] = texts.refused;
  const place = code === 'invalid' && field ? `<p>${texts.field} <strong>${escapeHtml(field)}</strong></p>` : '';
  return { title, text: `<p role="alert">${reasonOf(texts, code)}</p>${place}<p>${text}</p>` };
}

function reasonOf(texts: Texts, code: ErrorCode): string {
  if (code === 'invalid' || code === 'too_large') return texts.invalid;
  if (code === 'full' || code === 'duplicate' || code === 'forbidden') return texts[code];
  return texts.later;
}

/** The texts of the page after a form, by language. They avoid *du* and *Sie*: the page with the form may say either. */
export const FORM_TEXTS = {
  en: {
    sent: ['Thank you', 'Your entry has been received.'],
    refused: ['Not sent', 'Go back to the form: what you typed is still there.'],
    invalid: 'Something in the form is missing or not valid.',
    field: 'Please check this field:',
    full: 'All places are taken.',
    duplicate: 'There already is an entry like this one.',
    forbidden: 'This form does not accept your entry.',
    later: 'Your entry cannot be stored at the moment. Try again later.',
    back: 'Back',
  },
  de: {
    sent: ['Vielen Dank', 'Der Eintrag ist angekommen.'],
    refused: ['Nicht gesendet', 'Im Formular stehen alle Eingaben noch.'],
    invalid: 'Etwas im Formular fehlt oder ist ungültig.',
    field: 'Es geht um dieses Feld:',
    full: 'Alle Plätze sind vergeben.',
    duplicate: 'Einen solchen Eintrag gibt es schon.',
    forbidden: 'Dieses Formular nimmt den Eintrag nicht an.',
    later: 'Der Eintrag kann gerade nicht gespeichert werden, vielleicht aber später.',
    back: 'Zurück',
  },
  es: {
    sent: ['Gracias', 'Los datos han llegado.'],
    refused: ['No enviado', 'El formulario conserva todo lo escrito.'],
    invalid: 'Falta algo en el formulario o no es válido.',
    field: 'Se trata de este campo:',
    full: 'Ya no quedan plazas.',
    duplicate: 'Ya existe una entrada como esta.',
    forbidden: 'Este formulario no acepta los datos.',
    later: 'En este momento no se pueden guardar los datos; quizá más tarde.',
    back: 'Volver',
  },
  fr: {
    sent: ['Merci', 'La réponse a bien été reçue.'],
    refused: ['Non envoyé', 'Le formulaire a gardé toute la saisie.'],
    invalid: 'Une information du formulaire manque ou n’est pas valide.',
    field: 'Il s’agit de ce champ :',
    full: 'Toutes les places sont prises.',
    duplicate: 'Une réponse identique existe déjà.',
    forbidden: 'Ce formulaire n’accepte pas la réponse.',
    later: 'La réponse ne peut pas être enregistrée pour le moment, mais peut-être plus tard.',
    back: 'Retour',
  },
  pt: {
    sent: ['Obrigado', 'Os dados chegaram.'],
    refused: ['Não enviado', 'O formulário guardou tudo o que foi digitado.'],
    invalid: 'Algo no formulário está faltando ou não é válido.',
    field: 'Trata-se deste campo:',
    full: 'Todas as vagas estão ocupadas.',
    duplicate: 'Já existe um registro como este.',
    forbidden: 'Este formulário não aceita os dados.',
    later: 'Os dados não podem ser salvos no momento, mas talvez mais tarde.',
    back: 'Voltar',
  },
} as const;

const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt'] as const satisfies readonly (keyof typeof FORM_TEXTS)[];

/**
 * Returns the response to a refused request: JSON for scripts, and a page for a form without one.
 * @param base path of the site on its origin
 */
export function problemResponse(
  request: Pick<DataRequest, 'method' | 'headers'>,
  { code, message, field, headers }: DataProblem,
  base: string,
): DataResponse {
  const status = STATUSES[code];
  const named = field === undefined ? {} : { field };
  const response =
    request.method === 'POST' && isNavigation(request)
      ? formPage({ status, code, ...named }, request.headers['accept-language'], backPath(request, base))
      : jsonResponse(status, { error: message, code, ...named });
  return privately({ ...response, headers: { ...response.headers, ...headers } });
}

/** Returns the path of the page that a form is on, or that of the site if the browser does not tell. */
export function backPath({ headers }: Pick<DataRequest, 'headers'>, base: string): string {
  const { referer = '' } = headers;
  if (!URL.canParse(referer)) return base;
  const { pathname, search } = new URL(referer);
  return pathname.startsWith(base) && !pathname.startsWith('//') ? pathname + search : base;
}
