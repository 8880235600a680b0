import { PAGES, readCount } from '../../kit/counts.ts';
import { type Field as Listed, OTHER, readFields, TYPES } from '../../kit/fields.ts';
import { readEntries } from '../../kit/lists.ts';
import { capitalize, slug, titleOf, toTitle } from '../../kit/phrases.ts';
import type { Brief, Kind, Values } from '../../kit/types.ts';

const CHOICE = [/^/, 'choice', 'off'] as const;

const POLL =
  /(?<!\p{L})(?:poll|vote|voting|umfrage|abstimm\p{L}*|encuesta|votaci[oó]n|votar|sondage|voter?|enquete|votação)(?!\p{L})/iu;
/** The first one that a prompt asks for is used, or the last. A field with a question mark is optional. */
const PURPOSES: readonly (readonly [name: string, asked: RegExp, fields: string])[] = [
  [
    'job',
    /job|application form|apply|bewerb|candidat|postula|empleo|emprego/i,
    'firstName lastName email phone? website? letter',
  ],
  ['newsletter', /newsletter|subscri|waitlist|boletín|suscri/i, 'firstName email'],
  ['signIn', /log ?in|sign[- ]?in|anmelde|iniciar sesión|connexion/i, 'email password'],
  [
    'account',
    /regist|sign[- ]?up|account|inscription|inscrição|cadastro/i,
    'firstName lastName email password',
  ],
  ['booking', /book|r[eé]serv|appointment|rsvp|event|termin|cita/i, 'name email date guests notes?'],
  ['poll', POLL, 'choice'],
  ['feedback', /survey|feedback|umfrage|poll|encuesta|opini|sondage|pesquisa|avis/i, 'name? email? good bad'],
  ['contact', /^/, 'name email phone? company? message'],
];
interface Field extends Omit<Listed, 'kind'> {
  readonly kind: Listed['kind'] | typeof CHOICE;
  readonly options?: readonly string[];
}

const usual = (names: string, texts: Readonly<Record<string, string>>): Field[] =>
  names.split(' ').map((written) => {
    const name = written.replace('?', '');
    const kind = TYPES.find(([, , , fields]) => fields?.split(' ').includes(name)) ?? OTHER;
    return { label: texts[name] ?? name, optional: written !== name, kind };
  });

function field(
  { label, optional, kind: [, type, autocomplete], options = [] }: Field,
  index: number,
): Values {
  const isText = type === 'text-area';
  const id = `${slug(label, 'field')}-${index + 1}`;
  const isChoice = type === 'choice';
  const size = isText || isChoice || (type === 'email' && index === 0) ? 'wide' : 'half';
  return {
    id,
    label,
    type,
    autocomplete,
    optional,
    isText,
    isChoice,
    isLabelled: !isChoice,
    isInput: !isText && !isChoice,
    size,
    options: options.map((option) => ({ option })),
  };
}

const FORM = /form|survey|questionnaire|page|poll|umfrage|encuesta|sondage|enquete/i;

/** The options of a poll; between the last two, Spanish has "o". */
const readChoices = ({ text, lang }: Brief): string[] =>
  readEntries(lang === 'es' ? text.replace(/ [ou] (?=[^,]*$)/, ' or ') : text);

const choice = (options: readonly string[], texts: Readonly<Record<string, string>>): Field => ({
  label: texts.choice ?? '',
  optional: false,
  kind: CHOICE,
  options: options.map(capitalize),
});

export const form: Kind = {
  name: 'form',
  layers: {
    auto: ['shared/page', 'shared/texts', 'form/base'],
    '5min': ['shared/offline'],
    '10min': ['shared/tests', 'form/tests'],
  },
  accent: '#1d4ed8',
  words: [
    [
      '(?:contact|sign[- ]?up|log[- ]?in|sign[- ]?in|registration|application|feedback|booking|order|newsletter|subscription)[- ]?(?:form|page|screen)',
      6,
    ],
    ['forms?|formular|formulaire|formul[aá]rio|kontaktformular|anmeldeformular', 5],
    ['survey|questionnaire|umfrage|encuesta|cuestionario de|sondage|pesquisa de|rsvp', 4],
    ['enquete|poll|vote|voting|votação|votación|abstimmung', 4],
    ['newsletter sign[- ]?up|validation', 2],
  ],
  fits: ({ request }) => readCount(request, PAGES) < 2,
  values(brief: Brief, texts) {
    const options = POLL.test(brief.request) ? readChoices(brief) : [];
    const purposes = PURPOSES.filter(([name]) => name !== 'poll' || options.length > 1);
    const [purpose, , names] = purposes.find(([, asked]) => asked.test(brief.request)) ?? purposes[0] ?? [];
    const listed = purpose === 'poll' ? [] : readFields(brief.text);
    const asked = purpose === 'poll' ? [choice(options, texts)] : usual(names ?? '', texts);
    const fields = (listed.length > 0 ? listed : asked).map(field);
    const title = titleOf(brief, FORM, texts[`${purpose}`] ?? '');
    return {
      title,
      description: `${title}: ${texts.about?.replace('{n}', String(fields.length))}`,
      audience: toTitle(brief.topic),
      hasAudience: toTitle(brief.topic) !== '',
      lede: texts[`${purpose}.lede`] ?? '',
      action: texts[`${purpose}.action`] ?? '',
      fields,
      // A vote is not personal.
      hasConsent: purpose !== 'poll',
      rules: fields.map(({ id, label, type, optional }) => ({ id, label, type, optional }) as Values),
    };
  },
};
