import { ALIASES } from './brands.ts';
import type { Findings, Reading, Target } from './findings.ts';
import { plainLetters } from './words.ts';

/** What a field asks for, as far as it can be misused. */
export type FieldKind = 'password' | 'card' | 'phrase' | 'code' | 'pin' | 'identity';

/** Parts of a payment card: two of them are one. */
export type CardPart = 'number' | 'expiry' | 'security';

const PATTERNS: readonly (readonly [FieldKind | CardPart | 'token', RegExp])[] = [
  [
    'token',
    /api.?key|access.?token|\btoken\b|secret.?key|\bsk-|\bghp_|\bjwt\b|(?:wi-?fi|room|zip|pdf|broker|database|db)\W?(?:pass|key)/,
  ],
  [
    'number',
    /cc-?num|card.?(?:number|num|no)\b|cardnumber|(?:credit|debit).?card|kartennummer|numero (?:de |da |do |della )?(?:la |su |tu )?(?:carte|tarjeta|cartao|carta|postepay)|numero_?carte|\bccnum\b|\bpan\b/,
  ],
  [
    'expiry',
    /cc-?exp|\bexp(?:iry|iration|ires|m|date)?\b|expir|gultig bis|ablauf|caducidad|vencimiento|validade|scadenza|\bmm ?\/ ?(?:yy|jj|aa)/,
  ],
  [
    'security',
    /cc-?csc|\bcv[vc]2?\b|\bcsc\b|\bcv2\b|card.?(?:code|security)|security code|prufziffer|prufnummer|kartenprufnummer|cryptogramme|code de securite|codigo de seguridad|codigo de seguranca|codice di sicurezza/,
  ],
  [
    'phrase',
    /(?:seed|recovery|secret|backup|wallet|mnemonic)\W?(?:phrase|words?|key)|mnemonic|(?:12|15|18|24)\W{1,3}(?:or 24 )?words?|private.?key|key.?store|phrase de recuperation|frase (?:semilla|de recuperacion|di recupero)|wiederherstellungsphrase/,
  ],
  ['pin', /(?:atm|card|karten)\W?pin|pin (?:de|der|da|della|du) |\btan\b|\bpin\b/],
  [
    'code',
    /one-time-code|\botp\b|(?:verification|security|sms|2fa|authentication|auth|confirmation|6.digit) ?code|\bcode sent|steam guard|codigo (?:sms|de verificacion)|code de verification/,
  ],
  [
    'identity',
    /\bssn\b|social security|national insurance|\bnino\b|\bcpf\b|\bdni\b|\bnif\b|codice fiscale|steuer.?id|date of birth|\bdob\b/,
  ],
  [
    'password',
    /passw(?:or)?d|\bpass(?:code|wort)?\b|\bpwd\b|\bpasswd\b|kennwort|mot de passe|contrasena|\bsenha\b|\bclave\b|\bhaslo\b|wachtwoord|parola d.ordine|code (?:confidentiel|personnel|secret)/,
  ],
];

/** Whether it is something that only its owner may know. */
export const isSecret = (kind: FieldKind): boolean => kind !== 'identity';

/** What the descriptions of the fields of a form or a script say, collected. */
export class Fields {
  readonly kinds = new Set<FieldKind>();
  readonly #parts = new Set<CardPart>();

  /**
   * Adds a field.
   * @param description its names, labels and placeholders
   */
  add(description: string, type = ''): void {
    const text = plainLetters(description.slice(0, 400)).replaceAll('_', ' ');
    const kinds = PATTERNS.filter(([, pattern]) => pattern.test(text)).map(([kind]) => kind);
    const isToken = kinds.includes('token');
    for (const kind of kinds) {
      if (kind === 'number' || kind === 'expiry' || kind === 'security') this.#addPart(kind);
      else if (kind !== 'token' && !(kind === 'password' && isToken)) this.kinds.add(kind);
    }
    if (type === 'password' && !kinds.some((kind) => kind !== 'identity')) this.kinds.add('password');
  }

  merge({ kinds, parts }: { readonly kinds: ReadonlySet<FieldKind>; readonly parts: ReadonlySet<CardPart> }) {
    for (const kind of kinds) this.kinds.add(kind);
    for (const part of parts) this.#addPart(part);
  }

  /** Whether there is something that only its owner may know. */
  get hasSecrets(): boolean {
    return [...this.kinds].some(isSecret);
  }

  get parts(): ReadonlySet<CardPart> {
    return this.#parts;
  }

  #addPart(part: CardPart): void {
    this.#parts.add(part);
    if (this.#parts.size >= 2) this.kinds.add('card');
  }
}

const NO_FIELDS: ReadonlySet<string> = new Set(
  'hidden submit button image reset checkbox radio file color range search'.split(' '),
);

/** The name of a field for one word of many. */
const NUMBERED = /^(?:word|seed|phrase|mnemonic|mot|wort|palabra|palavra|parola)?[\W_]*\d{1,2}[\W_]*$/i;
const DESCRIBING = ['name', 'id', 'placeholder', 'autocomplete', 'aria-label', 'title', 'formcontrolname'];

/** Names of fields that only the log-in pages of some brands have, and copies of them. */
const OF_BRANDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    microsoft: 'loginfmt i0116 i0118',
    google: 'identifierid identifiernext',
    paypal: 'login_email login_password',
    netflix: 'userloginid id_userloginid',
    amazon: 'ap_email ap_password',
    linkedin: 'session_key session_password',
    apple: 'account_name_text_field password_text_field',
    facebook: 'm_login_email m_login_password',
  }).flatMap(([brand, names]) => names.split(' ').map((name): [string, string] => [name, brand])),
);

interface Form {
  readonly targets: Target[];
  readonly fields: Fields;
}

const CLAIM = { isStrong: false, isLookAlike: false, place: 'field', needs: [] } as const;

type Get = (attribute: string) => string;

/** Reads the forms of a page: what they ask for, and where they send it. */
export class PageForms {
  readonly #into: Findings;
  readonly #reading: Reading;
  #form: Form | undefined;
  #base: Target | undefined;

  constructor(into: Findings, reading: Reading) {
    this.#into = into;
    this.#reading = reading;
  }

  base(href: string): void {
    this.#base ??= this.#reading.url(href);
  }

  open(action: string): void {
    this.close();
    this.#form = { targets: [], fields: new Fields() };
    this.#target(action);
  }

  /** @param label the text before the field */
  field(element: string, get: Get, label: string): void {
    const type = get('type').trim().toLowerCase();
    if (get('formaction') !== '') this.#target(get('formaction'));
    if (element === 'button' || NO_FIELDS.has(type) || !this.#reading.budget.take('fields', 1)) return;
    for (const name of [get('name'), get('id')]) {
      const alias = ALIASES.get(OF_BRANDS.get(name.toLowerCase()) ?? '');
      if (alias) this.#into.claim([{ ...CLAIM, brand: alias.brand }]);
    }
    const names = [label, ...DESCRIBING.map((name) => get(name))].filter(Boolean);
    if (names.some((name) => name.length < 12 && NUMBERED.test(name))) this.#into.numbered++;
    this.#into.fields.add(names.join(' | '), type);
    this.#form?.fields.add(names.join(' | '), type);
  }

  close(): void {
    const form = this.#form;
    this.#form = undefined;
    if (form?.targets.length === 0 && form.fields.hasSecrets) this.#into.keepsSecrets = true;
    for (const target of form?.targets ?? [])
      this.#into.add('forms', { ...target, hasSecrets: form?.fields.hasSecrets === true });
  }

  #target(action: string): void {
    // Relative to the base of the page, which may be another host.
    const target = this.#reading.url(action) ?? (/^\s*[a-z]+:/i.test(action) ? undefined : this.#base);
    if (!target) return;
    if (this.#form) this.#form.targets.push(target);
    else this.#into.add('forms', { ...target, hasSecrets: true });
  }
}
