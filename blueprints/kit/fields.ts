import { readList, splitList } from './lists.ts';
import { capitalize } from './phrases.ts';

/** The type of a field by its label, the first match counts, and the fields of src/texts.js that have it. */
export const TYPES: readonly (readonly [label: RegExp, type: string, autocomplete: string, fields?: string])[] = [
  [/e-?mail|correo|courriel/i, 'email', 'email', 'email'],
  [/pass(?:word|phrase)?|passwort|contraseña|mot de passe|senha/i, 'password', 'new-password', 'password'],
  [/phone|mobile|telefon|téléphone|teléfono|celular|handy/i, 'tel', 'tel', 'phone'],
  [/website|link|url|linkedin|portfolio|github|site/i, 'url', 'url', 'website'],
  [/date|birthday|geburtstag|fecha|datum|\bdata\b/i, 'date', 'off', 'date'],
  [
    /\bage\b|amount|number of|quantity|guests|how many|budget|rating|\balter\b|anzahl|edad|número de|nombre de|idade/i,
    'number',
    'off',
    'guests',
  ],
  [
    /messag|comment|cover letter|description|question|feedback|nachricht|mensa[jg]|motivation|why|notes?|kommentar|coment[aá]rio/i,
    'text-area',
    'off',
    'message letter notes good bad',
  ],
  [/first name|vorname|prénom/i, 'text', 'given-name', 'firstName'],
  [/last name|surname|nachname|apellido|nom de famille|sobrenome/i, 'text', 'family-name', 'lastName'],
  [/name|nombre|\bnom\b|nome/i, 'text', 'name', 'name'],
  [/company|organi[sz]ation|firma|empresa|entreprise/i, 'text', 'organization', 'company'],
  [/address|street|adresse|dirección|endereço/i, 'text', 'street-address'],
  [/city|town|stadt|ciudad|ville|cidade/i, 'text', 'address-level2'],
];
export const OTHER = [/^/, 'text', 'off'] as const;

const LISTED =
  /form\p{L}*(?=[^:.\n]*(?::| (?:with|mit|con|avec|com) ))[^:.\n]*?(?::| (?:with|mit|con|avec|com)) ([^.\n]+)/iu;
const OPTIONAL = /\s*\(?(?<!\p{L})(?:optional|opcional|facultati[fv]e?|optionnel|freiwillig)(?!\p{L})\)?/giu;

const ARTICLE = /^(?:an?|eine?n?|una?|une|uma?) /iu;

/** A field that a prompt asks for. */
export interface Field {
  readonly label: string;
  readonly optional: boolean;
  readonly kind: (typeof TYPES)[number] | typeof OTHER;
}

const typeOf = (label: string) => TYPES.find(([pattern]) => pattern.test(label)) ?? OTHER;

/** Returns the fields that a prompt lists: after "fields", or after "form with" if most of them are known. */
export function readFields(text: string): Field[] {
  const labelled = readList(text, 'fields?|inputs?|questions?|felder|campos|champs');
  const loose = splitList(LISTED.exec(text)?.[1] ?? '');
  const known = loose.filter((entry) => typeOf(entry) !== OTHER);
  const formFields = known.length * 2 > loose.length ? loose : [];
  const entries = labelled.length > 0 ? labelled : formFields;
  return entries.map((entry) => ({
    label: capitalize(entry.replace(OPTIONAL, '').replace(ARTICLE, '').trim() || entry),
    optional: entry.search(OPTIONAL) >= 0,
    kind: typeOf(entry),
  }));
}
