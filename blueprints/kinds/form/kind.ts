import { PAGES, readCount } from '../../kit/counts.ts';
import { type Field as Listed, OTHER, readFields, TYPES } from '../../kit/fields.ts';
import { pageLayers } from '../../kit/kinds.ts';
import { OCCASIONS } from '../../kit/occasions.ts';
import { slug, titleOf, toTitle } from '../../kit/phrases.ts';
import { POLL, readChoices } from '../../kit/polls.ts';
import type { Brief, Kind, Values } from '../../kit/types.ts';

const PLACES =
  'places?|spots?|seats?|participants?|people|plätzen?|plaetze|teilnehmer\\p{L}*|plazas?|personas?|places|personnes?|participant\\p{L}*|vagas?|lugares|pessoas?';
const CHOICE = [/^/, 'choice', 'off'] as const;

/** Who comes to something, rather than who gets an account. */
const REGISTRATION = new RegExp(
  `(?<!\\p{L})(?:registration|registering|sign[- ]?ups?|anmeld\\p{L}*|inscri\\p{L}+|registro)(?!\\p{L})(?=.*(?<!\\p{L})(?:${OCCASIONS}|event|workshop|course|class|tour|trip|talk|meetup|tournament|veranstaltung|kurs|ausflug|vortrag|turnier|seminar|evento|taller|curso|excursión|atelier|cours|sortie|événement|oficina|passeio|\\d+ (?:${PLACES}))(?!\\p{L}))`,
  'isu',
);
/** The first one that a prompt asks for is used, or the last. A field with a question mark is optional. */
const PURPOSES: readonly (readonly [name: string, asked: RegExp, fields: string])[] = [
  [
    'job',
    /job|application form|apply|bewerb|candidat|postula|empleo|emprego/i,
    'firstName lastName email phone? website? letter',
  ],
  ['registration', REGISTRATION, 'name email'],
  ['newsletter', /newsletter|subscri|waitlist|boletín|suscri/i, 'firstName email'],
  ['signIn', /log ?in|sign[- ]?in|anmelde|iniciar sesión|connexion/i, 'email password'],
  ['account', /regist|sign[- ]?up|account|inscription|inscrição|cadastro/i, 'firstName lastName email password'],
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

function field({ label, optional, kind: [, type, autocomplete], options = [] }: Field, index: number, name: string) {
  const isText = type === 'text-area';
  const id = `${slug(label, 'field')}-${index + 1}`;
  const isChoice = type === 'choice';
  const size = isText || isChoice || (type === 'email' && index === 0) ? 'wide' : 'half';
  return {
    id,
    name,
    label,
    type,
    autocomplete,
    optional,
    isText,
    isChoice,
    isLabelled: !isChoice,
    isInput: !isText && !isChoice,
    size,
    choices: options,
    options: options.map((option) => ({ option })),
  };
}

const FORM = /form|survey|questionnaire|page|poll|umfrage|encuesta|sondage|enquete/i;

const choice = (options: readonly string[], texts: Readonly<Record<string, string>>): Field => ({
  label: texts.choice ?? '',
  optional: false,
  kind: CHOICE,
  options,
});

/** The names of what is sent, for those who read it. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  contact: 'messages',
  job: 'applications',
  registration: 'registrations',
  newsletter: 'subscribers',
  booking: 'bookings',
  poll: 'votes',
  feedback: 'feedback',
};

/** Returns what a form is for, and its fields. */
function fieldsOf(brief: Brief, texts: Readonly<Record<string, string>>) {
  const { options } = POLL.test(brief.request) ? readChoices(brief) : { options: [] };
  const purposes = PURPOSES.filter(([name]) => name !== 'poll' || options.length > 1);
  const [purpose = '', , names] = purposes.find(([, asked]) => asked.test(brief.request)) ?? [];
  const listed = purpose === 'poll' ? [] : readFields(brief.text);
  const asked = purpose === 'poll' ? [choice(options, texts)] : usual(names ?? '', texts);
  return { purpose, fields: listed.length > 0 ? listed : asked };
}

/** Who registers or subscribes does so once. */
function uniqueOf(
  purpose: string,
  fields: readonly { readonly name: string; readonly type: string; readonly optional: boolean }[],
) {
  const address = fields.find(({ type, optional }) => type === 'email' && !optional);
  return address && /^(?:registration|newsletter)$/.test(purpose) ? { unique: address.name } : {};
}

export const form: Kind = {
  name: 'form',
  layers: pageLayers('form', ['texts'], 'form/tests'),
  // Nobody sends a password where the owner of the page could read it.
  data: {
    layers: ['shared/data', 'form/data'],
    owner: ['shared/dom', 'shared/data-owner'],
    fits: (brief) => !fieldsOf(brief, {}).fields.some(({ kind: [, type] }) => type === 'password'),
  },
  accent: '#1d4ed8',
  words: [
    [
      '(?:contact|sign[- ]?up|log[- ]?in|sign[- ]?in|registration|application|feedback|booking|order|newsletter|subscription)[- ]?(?:form|page|screen)',
      6,
    ],
    ['forms?|formular|formulaire|formul[aá]rio|kontaktformular|anmeldeformular', 5],
    ['survey|questionnaire|umfrage|encuesta|cuestionario de|sondage|pesquisa de|rsvp', 4],
    ['registrations?|sign[- ]?ups?|anmeldung|inscripción|inscription|inscrição', 4],
    ['enquete|poll|vote|voting|votação|votación|abstimmung', 4],
    ['newsletter sign[- ]?up|validation', 2],
  ],
  fits: ({ request }) => readCount(request, PAGES) < 2,
  values(brief: Brief, texts) {
    const { purpose, fields: asked } = fieldsOf(brief, texts);
    const names = fieldNames(asked.map(({ label }) => label));
    const fields = asked.map((one, index) => field(one, index, names[index] ?? ''));
    const places = brief.data && purpose === 'registration' ? readCount(brief.request, PLACES) : 0;
    const collection = COLLECTIONS[purpose] ?? 'entries';
    const title = titleOf(brief, FORM, texts[`${purpose}`] ?? '');
    return {
      title,
      description: `${title}: ${texts.about?.replace('{n}', String(fields.length))}`,
      audience: toTitle(brief.topic, brief.promptLang),
      hasAudience: toTitle(brief.topic, brief.promptLang) !== '',
      lede: texts[`${purpose}.lede`] ?? '',
      action: texts[`${purpose}.action`] ?? '',
      fields,
      // A vote is not personal.
      hasConsent: purpose !== 'poll',
      rules: fields.map(({ id, name, label, type, optional }) => ({ id, name, label, type, optional })),
      isStub: brief.data === undefined,
      hasPlaces: places > 0,
      places,
      collection,
      declaration: {
        [collection]: {
          create: 'visitor',
          ...(places > 0 ? { count: 'visitor', most: places } : {}),
          ...uniqueOf(purpose, fields),
          keepDays: 365,
          schema: schemaOf(fields),
        },
      },
    };
  },
};

/** Names that an item has besides its fields. */
const TAKEN = ['id', 'mine', 'waiting', 'constructor', 'consent'];
const FORMATS: Readonly<Record<string, string>> = { email: 'email', url: 'uri' };
const LONGEST = { 'text-area': 2_000, email: 200, url: 500, tel: 40, text: 200 } as const;

/** Returns a name for each label: lower-case ASCII words, none of them twice. */
function fieldNames(labels: readonly string[]): string[] {
  const names: string[] = [];
  for (const label of labels) {
    const name = slug(label, 'field').replace(/^(?=\d)/, 'field-');
    const isFree = !names.includes(name) && !TAKEN.includes(name);
    names.push(isFree ? name : `${name}-${names.length + 1}`);
  }
  return names;
}

interface Named {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly choices: readonly string[];
}

/** Returns the schema of what a form sends, as `_data.json` has it. */
function schemaOf(fields: readonly Named[]): Values {
  return {
    type: 'object',
    required: fields.filter(({ optional }) => !optional).map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
  };
}

function propertyOf({ type, optional, choices }: Named): Values {
  if (type === 'number') return { type: 'number' };
  if (type === 'date') return { type: 'string', format: 'date' };
  if (type === 'choice') return { type: 'string', enum: choices };
  const maxLength = Object.entries(LONGEST).find(([name]) => name === type)?.[1] ?? LONGEST.text;
  const format = FORMATS[type];
  return {
    type: 'string',
    ...(optional ? {} : { minLength: 1 }),
    maxLength,
    ...(format === undefined ? {} : { format }),
  };
}
