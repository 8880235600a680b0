import { readList } from '../kit/lists.ts';
import { capitalize, slug, titleOf, toTitle } from '../kit/phrases.ts';
import type { Brief, Kind, Values } from '../kit/types.ts';

/** The type of a field by its label; the first match counts. */
const TYPES: readonly (readonly [label: RegExp, type: string, autocomplete: string])[] = [
  [/e-?mail/i, 'email', 'email'],
  [/pass(?:word|phrase)?|passwort|contraseña/i, 'password', 'new-password'],
  [/phone|mobile|telefon|téléphone|teléfono/i, 'tel', 'tel'],
  [/website|link|url|linkedin|portfolio|github/i, 'url', 'url'],
  [/date|birthday|geburtstag|fecha/i, 'date', 'off'],
  [/\bage\b|amount|number of|quantity|guests|how many|budget|\balter\b/i, 'number', 'off'],
  [
    /message|comment|cover letter|description|question|feedback|nachricht|mensaje|motivation|why|notes?/i,
    'text-area',
    'off',
  ],
  [/first name|vorname/i, 'text', 'given-name'],
  [/last name|surname|nachname/i, 'text', 'family-name'],
  [/name/i, 'text', 'name'],
  [/company|organi[sz]ation|firma/i, 'text', 'organization'],
  [/address|street|adresse/i, 'text', 'street-address'],
  [/city|town|stadt/i, 'text', 'address-level2'],
];

const OTHER = [/^/, 'text', 'off'] as const;

interface Purpose {
  readonly asked: RegExp;
  readonly title: string;
  readonly lede: string;
  readonly action: string;
  readonly fields: readonly string[];
}

const CONTACT: Purpose = {
  asked: /contact|kontakt/i,
  title: 'Contact',
  lede: 'Tell us what it is about. We reply within two days.',
  action: 'Send the message',
  fields: ['Name', 'E-mail', 'Phone (optional)', 'Company (optional)', 'Message'],
};
/** The first one that a prompt asks for is used, or a contact form. */
const PURPOSES: readonly Purpose[] = [
  {
    asked: /job|application form|apply|bewerbung/i,
    title: 'Apply',
    lede: 'A few lines about you and your work are enough.',
    action: 'Send the application',
    fields: ['First name', 'Last name', 'E-mail', 'Phone (optional)', 'Website (optional)', 'Cover letter'],
  },
  {
    asked: /newsletter|subscri|waitlist/i,
    title: 'Newsletter',
    lede: 'One e-mail a month. Unsubscribe at any time with one click.',
    action: 'Subscribe',
    fields: ['First name', 'E-mail'],
  },
  {
    asked: /log ?in|sign[- ]?in|anmelde/i,
    title: 'Sign in',
    lede: 'Welcome back.',
    action: 'Sign in',
    fields: ['E-mail', 'Password'],
  },
  {
    asked: /regist|sign[- ]?up|account|inscription/i,
    title: 'Create an account',
    lede: 'It takes a minute, and you can change everything later.',
    action: 'Create the account',
    fields: ['First name', 'Last name', 'E-mail', 'Password'],
  },
  {
    asked: /book|reserv|appointment|rsvp|event/i,
    title: 'Reservation',
    lede: 'Choose a day. We confirm by e-mail.',
    action: 'Request the reservation',
    fields: ['Name', 'E-mail', 'Date', 'Number of guests', 'Notes (optional)'],
  },
  {
    asked: /survey|feedback|umfrage|poll/i,
    title: 'Feedback',
    lede: 'Five minutes of your time help us to improve.',
    action: 'Send the feedback',
    fields: [
      'Name (optional)',
      'E-mail (optional)',
      'What works well? (comment)',
      'What should change? (comment)',
    ],
  },
  CONTACT,
];

function field(written: string, index: number): Values {
  const optional = /\boptional\b/i.test(written);
  const bare = written.replace(/\s*\((?:optional|comment)\)|\boptional\b/gi, '').trim() || written;
  const label = capitalize(bare);
  const [, type, autocomplete] = TYPES.find(([pattern]) => pattern.test(written)) ?? OTHER;
  const isText = type === 'text-area';
  const id = `${slug(label, 'field')}-${index + 1}`;
  const size = isText || (type === 'email' && index === 0) ? 'wide' : 'half';
  return { id, label, type, autocomplete, optional, isText, isInput: !isText, size };
}

export const form: Kind = {
  name: 'form',
  layers: {
    auto: ['shared/page', 'form/base'],
    '5min': ['shared/offline'],
    '10min': ['shared/tests', 'form/tests'],
  },
  accent: '#1d4ed8',
  words: [
    [
      '(?:contact|sign[- ]?up|log[- ]?in|sign[- ]?in|registration|application|feedback|booking|order|newsletter|subscription)[- ]?(?:form|page|screen)',
      6,
    ],
    ['forms?|formular|formulaire|formulario|kontaktformular|anmeldeformular', 5],
    ['survey|questionnaire|umfrage|rsvp', 4],
    ['newsletter sign[- ]?up|validation', 2],
  ],
  values(brief: Brief) {
    const purpose = PURPOSES.find(({ asked }) => asked.test(brief.request)) ?? CONTACT;
    const listed = readList(brief.text, 'fields?|inputs?|questions?|felder|campos|champs');
    const fields = (listed.length > 0 ? listed : purpose.fields).map(field);
    const title = titleOf(brief, /form|survey|questionnaire|page/i, toTitle(purpose.title));
    return {
      title,
      description: `${title}: ${fields.length} fields, checked while they are filled in.`,
      lede: purpose.lede,
      action: purpose.action,
      fields,
      rules: fields.map(({ id, label, type, optional }) => ({ id, label, type, optional }) as Values),
    };
  },
};
