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
