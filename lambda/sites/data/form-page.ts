import { preferredLanguage } from '../../platform/accept-headers.ts';
import { escapeHtml, HTML, plainPage } from '../../platform/html.ts';
import type { DataResponse, ErrorCode } from './response.ts';

/** What a page after a form says. */
export interface FormOutcome {
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
  const [title, text] = code === undefined ? texts.sent : texts.refused;
  const reason = code === undefined ? text : reasonOf(texts, code);
  const place =
    code === 'invalid' && field ? `<p>${texts.field} <strong>${escapeHtml(field)}</strong></p>` : '';
  const kept = code === undefined ? '' : `<p>${text}</p>`;
  const role = code === undefined ? 'status' : 'alert';
  const body = `<h1>${title}</h1><p role="${role}">${reason}</p>${place}${kept}<p><a id="back" href="${escapeHtml(back)}">${texts.back}</a></p><script>${BACK_SCRIPT}</script>`;
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

function reasonOf(texts: (typeof FORM_TEXTS)[keyof typeof FORM_TEXTS], code: ErrorCode): string {
  if (code === 'invalid' || code === 'too_large') return texts.invalid;
  if (code === 'full' || code === 'duplicate' || code === 'forbidden') return texts[code];
  return texts.later;
}

/** The texts of the page after a form, by language. */
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
    sent: ['Vielen Dank', 'Ihr Eintrag ist angekommen.'],
    refused: ['Nicht gesendet', 'Gehen Sie zum Formular zurück: Ihre Eingaben sind noch da.'],
    invalid: 'Etwas im Formular fehlt oder ist ungültig.',
    field: 'Bitte prüfen Sie dieses Feld:',
    full: 'Alle Plätze sind vergeben.',
    duplicate: 'Einen solchen Eintrag gibt es schon.',
    forbidden: 'Dieses Formular nimmt Ihren Eintrag nicht an.',
    later: 'Ihr Eintrag kann gerade nicht gespeichert werden. Versuchen Sie es später noch einmal.',
    back: 'Zurück',
  },
  es: {
    sent: ['Gracias', 'Hemos recibido sus datos.'],
    refused: ['No enviado', 'Vuelva al formulario: lo que ha escrito sigue ahí.'],
    invalid: 'Falta algo en el formulario o no es válido.',
    field: 'Revise este campo:',
    full: 'Ya no quedan plazas.',
    duplicate: 'Ya existe una entrada como esta.',
    forbidden: 'Este formulario no acepta sus datos.',
    later: 'En este momento no se pueden guardar sus datos. Vuelva a intentarlo más tarde.',
    back: 'Volver',
  },
  fr: {
    sent: ['Merci', 'Votre saisie a bien été reçue.'],
    refused: ['Non envoyé', 'Revenez au formulaire : votre saisie y est encore.'],
    invalid: 'Une information du formulaire manque ou n’est pas valide.',
    field: 'Vérifiez ce champ :',
    full: 'Toutes les places sont prises.',
    duplicate: 'Une telle saisie existe déjà.',
    forbidden: 'Ce formulaire n’accepte pas votre saisie.',
    later: 'Votre saisie ne peut pas être enregistrée pour le moment. Réessayez plus tard.',
    back: 'Retour',
  },
  pt: {
    sent: ['Obrigado', 'Recebemos o seu registro.'],
    refused: ['Não enviado', 'Volte ao formulário: o que você digitou ainda está lá.'],
    invalid: 'Algo no formulário está faltando ou não é válido.',
    field: 'Verifique este campo:',
    full: 'Todas as vagas estão ocupadas.',
    duplicate: 'Já existe um registro como este.',
    forbidden: 'Este formulário não aceita o seu registro.',
    later: 'O seu registro não pode ser salvo no momento. Tente novamente mais tarde.',
    back: 'Voltar',
  },
} as const;

const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt'] as const satisfies readonly (keyof typeof FORM_TEXTS)[];
