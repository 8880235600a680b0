import type { Claim } from './claims.ts';
import type { ForeignUrl } from './hosts.ts';
import { plainLetters } from './words.ts';

/** What a field asks for, as far as it can be misused. */
export type FieldKind = 'password' | 'card' | 'phrase' | 'code' | 'pin' | 'identity';

/** Parts of a payment card: two of them are one. */
type CardPart = 'number' | 'expiry' | 'security';

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

  /** Adds a field. @param description its names, labels and placeholders */
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

/** A URL that gets what is typed into a page, or that a page leads to at once. */
export interface Target extends ForeignUrl {
  /** Whether the code hides it: encoded, escaped or in parts. */
  readonly isHidden?: boolean;
}

/** A form that sends to another host, with whether it has secret fields. */
interface ForeignForm extends Target {
  readonly hasSecrets: boolean;
}

/** A URL of the data of a site, as pages and scripts name it. */
export const DATA_URL = /(?:^|\/)(?:\.|%2e)data\//i;

/** How code hides what it does. */
export type Hiding = 'encoded page' | 'opaque page' | 'sealed page' | 'opaque script' | 'names' | 'escapes';

/** What begins without a visitor's doing. */
type Download = 'instant' | 'program' | 'smuggled';

const MOST = 50;
const MOST_URLS = 1_000;

/** What a page and its scripts do that matters to the gate. Everything in it is bounded. */
export class Findings {
  readonly fields = new Fields();
  readonly claims: Claim[] = [];
  readonly forms: ForeignForm[] = [];
  readonly sends: Target[] = [];
  readonly redirects: Target[] = [];
  readonly frames: Target[] = [];
  readonly hidings = new Set<Hiding>();
  readonly downloads = new Set<Download>();
  readonly urls = new Map<string, ForeignUrl>();
  /** Words that names of brands need beside them. */
  readonly words = new Set<string>();
  isUrgent = false;
  /** Whether the page speaks of the phrase that restores a wallet. */
  mentionsPhrase = false;
  /** Whether a form asks for secrets without an address to send them to: a script can take them. */
  keepsSecrets = false;
  /** Whether what visitors type goes into the data of the site, where its owner reads it. */
  collects = false;
  /** Whether the page takes the address of a visitor from its own. */
  readsAddress = false;
  /** How many fields have only a number as their name. */
  numbered = 0;
  /** The length of the text that visitors see. */
  visible = 0;
  /** The ids of what scripts click by themselves, and of links to downloads. */
  readonly clicks = new Set<string>();
  readonly links = new Map<string, 'download' | 'program'>();

  url(url: ForeignUrl): void {
    if (this.urls.size < MOST_URLS) this.urls.set(url.url, url);
  }

  add<Kind extends 'forms' | 'sends' | 'redirects' | 'frames'>(kind: Kind, value: Findings[Kind][number]): void {
    const list: Target[] = this[kind];
    if (list.length < MOST && !list.some(({ url }) => url === value.url)) list.push(value);
    this.url(value);
  }

  claim(claims: readonly Claim[]): void {
    for (const claim of claims) if (this.claims.length < MOST) this.claims.push(claim);
  }

  /** Adds what a part of the page does: a script, or a page in a frame. */
  merge(part: Findings): void {
    this.fields.merge(part.fields);
    this.claim(part.claims);
    for (const kind of ['sends', 'redirects', 'frames'] as const)
      for (const target of part[kind]) this.add(kind, target);
    for (const form of part.forms) this.add('forms', form);
    for (const hiding of part.hidings) this.hidings.add(hiding);
    for (const download of part.downloads) this.downloads.add(download);
    for (const url of part.urls.values()) this.url(url);
    for (const word of part.words) this.words.add(word);
    for (const [id, link] of part.links) this.links.set(id, link);
    for (const id of part.clicks) this.clicks.add(id);
    this.isUrgent ||= part.isUrgent;
    this.mentionsPhrase ||= part.mentionsPhrase;
    this.readsAddress ||= part.readsAddress;
    this.keepsSecrets ||= part.keepsSecrets;
    this.collects ||= part.collects;
    this.numbered += part.numbered;
    this.visible += part.visible;
  }
}
