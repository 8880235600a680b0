import { NUMBER, PAGES, readCount } from '../../kit/counts.ts';
import { type Field, readFields } from '../../kit/fields.ts';
import { pageLayers } from '../../kit/kinds.ts';
import { readList } from '../../kit/lists.ts';
import { capitalize, titleOf, toTitle } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

/** The type and autocomplete token of each field, in the order of the text `fields`. */
const FIELDS = [
  ['text', 'name'],
  ['email', 'email'],
  ['tel', 'tel'],
  ['date', 'bday'],
  ['text', 'street-address'],
  ['text', 'postal-code'],
  ['text', 'address-level2'],
  ['text', 'country-name'],
  ['text', 'organization'],
  ['text', 'organization-title'],
  ['text', 'off'],
  ['text', 'off'],
  ['date', 'off'],
  ['number', 'off'],
  ['text-area', 'off'],
  ['text-area', 'off'],
] as const;
const [
  NAME,
  EMAIL,
  PHONE,
  BIRTH,
  STREET,
  POSTCODE,
  CITY,
  COUNTRY,
  COMPANY,
  POSITION,
  HOLDER,
  IBAN,
  DATE,
  PEOPLE,
  DETAILS,
  COMMENTS,
] = FIELDS.keys();
const OPTIONAL = [PHONE, COMMENTS];

/** The fields of a step by its heading; the first match counts. */
const STEPS: readonly (readonly [heading: RegExp, fields: readonly (number | undefined)[]])[] = [
  [
    /person|persön|identi[tf]|about|name|you|profil|dich|datos|dados|sobre|coordonnées|moi|toi/i,
    [NAME, EMAIL, PHONE, BIRTH],
  ],
  [/e-?mail|account|konto|cuenta|compte|conta\b|contact|kontakt|contato/i, [EMAIL, PHONE]],
  [
    /address|adresse|shipping|delivery|versand|liefer|dirección|envío|livraison|endereço|entrega/i,
    [STREET, POSTCODE, CITY, COUNTRY],
  ],
  [/pay|zahlung|bank|pago|paiement|pagamento/i, [HOLDER, IBAN]],
  [/company|work|job|firma|beruf|empresa|trabajo|entreprise|emploi|trabalho/i, [COMPANY, POSITION]],
  [/date|time|booking|termin|fecha|^data$|reserva|réservation/i, [DATE, PEOPLE]],
  [/^/, [DETAILS, COMMENTS]],
];
const REVIEW =
  /^(?:review|summary|confirm\w*|submit|overview|übersicht|zusammenfassung|bestätig\w*|resumen|confirmación|récapitulatif|resumo|revisão)/i;

/** The pages of a wizard whose prompt names no number. */
const USUAL_PAGES = 4;
/** Words that a title omits: "multi-step form" says nothing about the form. */
const GENERIC =
  /multi[- ]?(?:step|page)|step[- ]by[- ]step|(?:(?:two|three|four|five|\d)[- ](?:step|page)|mehrstufige\p{L}*)(?!\p{L})|(?:spread over|over|across|auf|in|en|em|sur|von) (?:plusieurs|varios|vários|\p{L}+|\d) (?:páginas|pasos|étapes|etapas|passos|pages|steps|seiten|schritten)/giu;

type Texts = Readonly<Record<'stepPerson' | 'stepAddress' | 'stepWishes' | 'stepsMore' | 'fields', string>>;
interface Step {
  readonly heading: string;
  readonly fields: readonly {
    readonly label: string;
    readonly type: string;
    readonly autocomplete: string;
    readonly isOptional: boolean;
  }[];
}

/** Returns the usual fields of a step with this heading. */
function usualStep(heading: string, labels: readonly string[]): Step {
  const fields = (STEPS.find(([pattern]) => pattern.test(heading))?.[1] ?? []).map((which = 0) => {
    const [type, autocomplete] = FIELDS[which] ?? FIELDS[0];
    return { label: labels[which] ?? '', type, autocomplete, isOptional: OPTIONAL.includes(which) };
  });
  return { heading, fields };
}

/** Returns the fields that a prompt lists, in some steps. */
function ownSteps(own: readonly Field[], count: number, headings: readonly string[]): Step[] {
  const size = Math.ceil(own.length / count);
  const groups = Array.from({ length: Math.ceil(own.length / size) }, (_, at) => own.slice(at * size, (at + 1) * size));
  return groups.map((group, at) => ({
    heading: group.length < 3 ? group.map(({ label }) => label).join(', ') : (headings[at] ?? ''),
    fields: group.map(({ label, optional, kind: [, type, autocomplete] }) => ({
      label,
      type,
      autocomplete,
      isOptional: optional,
    })),
  }));
}

/** Returns the steps before the review, which is the last page: as many as the prompt asks for. */
function stepsOf({ text, promptLang }: Brief, texts: Texts): Step[] {
  const listed = readList(text, 'steps?|pages|form|formular|schritten?|pasos|étapes|passos|etapas').filter(
    (heading) => !REVIEW.test(heading),
  );
  const count = (readCount(text, PAGES) || USUAL_PAGES) - 1;
  const own = readFields(text);
  const more = texts.stepsMore.split('|');
  if (listed.length < 2 && own.length > 1) return ownSteps(own, count, [texts.stepPerson, ...more.toReversed()]);
  const usual = [texts.stepPerson, texts.stepAddress, texts.stepWishes, ...more];
  const headings =
    listed.length > 1
      ? listed.map((heading) => toTitle(heading, promptLang) || capitalize(heading))
      : usual.slice(0, count);
  return headings.map((heading) => usualStep(heading, texts.fields.split('|')));
}

export const wizard: Kind<
  'application' | 'summary' | 'stepPerson' | 'stepAddress' | 'stepWishes' | 'stepsMore' | 'fields'
> = {
  name: 'wizard',
  layers: pageLayers('wizard', ['storage', 'texts', 'dom', 'article']),
  accent: '#3d4f9e',
  words: [
    [
      '(?:multi[- ]?(?:step|page)|step[- ]by[- ]step)(?: \\p{L}+){0,2} (?:form|wizard|survey|registration|sign[- ]?up)|(?:form|checkout|onboarding|setup)?[- ]?wizard|onboarding(?: flow)?',
      9,
    ],
    [
      "mehrstufige[snr]? \\p{L}*(?:formular|anmeldung|registrierung)|formulaire(?: d(?:e |['’])\\p{L}+)? en (?:plusieurs|\\p{L}+|\\d) étapes",
      9,
    ],
    [
      'formul[aá]rio(?: de \\p{L}+)? (?:de|en|em|por) (?:varios|vários|múltiples|múltiplos|\\p{L}+|\\d) ?(?:pasos|passos|etapas)|asistente de \\p{L}+',
      9,
    ],
    [
      `\\p{L}*form\\p{L}*(?: [^.:\\n]{0,80})?[ -]${NUMBER}[- ](?:\\p{L}+ )?(?:${PAGES})|${NUMBER}[- ](?:step|page) (?:\\p{L}+ )?\\p{L}*form\\p{L}*`,
      5,
    ],
    ['multi[- ]?step|mehrstufig\\p{L}*|progress bar', 3],
  ],
  fits: ({ request }) => [0, 2, 3, 4, 5, 6, 7].includes(readCount(request, PAGES)),
  values(brief, texts) {
    const stepList = stepsOf(brief, texts).map(({ heading, fields }, index) => ({
      heading,
      fields: fields.map((field, at) => {
        const isText = field.type === 'text-area';
        return { ...field, id: `step-${index + 1}-${at}`, isText, isInput: !isText };
      }),
    }));
    const head = brief.head.replace(GENERIC, '').trim();
    const title = titleOf(
      { ...brief, head: head.includes(' ') || brief.purpose ? head : '' },
      /form|wizard|survey|onboarding|checkout|registration|asistente/i,
      toTitle(brief.topic, brief.promptLang) || texts.application,
    );
    return {
      title,
      description: texts.summary.replace('{title}', () => title).replace('{n}', String(stepList.length + 1)),
      steps: stepList,
      stepList: stepList.map(({ heading, fields }) => ({
        heading,
        fields: fields.map(({ id, label, type, isOptional }) => ({ id, label, type, isOptional })),
      })),
      icon: 'M6 16h20M6 16l0 .01M16 16l0 .01M26 16l0 .01M20 10l6 6-6 6',
      sources: [
        { path: 'wizard.css', contents: 'the styles of steps and the review' },
        { path: 'src/steps.js', contents: 'the steps, their fields and the rules' },
        { path: 'src/send.js', contents: 'sends the answers: connect your service here' },
        { path: 'src/main.js', contents: 'shows the steps and the review' },
        { path: 'src/store.js', contents: 'stores answers in the browser' },
        { path: 'src/texts.js', contents: 'the texts of the page' },
      ],
      advice: 'Fields are in index.html and in src/steps.js: change both.',
    };
  },
};
