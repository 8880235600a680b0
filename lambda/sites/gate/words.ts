/** A word as it is written, without accents and in lower case. */
export interface Word {
  readonly plain: string;
  /** The same with letters and digits that look alike replaced; equal to `plain` if there is none. */
  readonly folded: string;
}

/** Characters without a width, which split a word for a program and not for a reader, belong to the word. */
const WORD = /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/gu;

/** Returns the words of a text; a name of a file or a host has words too. */
export function wordsOf(text: string): Word[] {
  return (text.match(WORD) ?? []).map((word) => {
    const plain = plainLetters(word);
    return { plain, folded: foldLetters(word, plain) };
  });
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Words of pages that ask to log in, to confirm or to pay, in the languages of most kits. */
const ASKING = set(`
  sign signin log login logon signon logging verify verification validate validation confirm confirmation update unlock restore
  suspended locked limited hold payment billing refund
  anmelden anmeldung einloggen login verifizieren verifizierung bestatigen bestatigung aktualisieren aktualisierung entsperren gesperrt zahlung
  connexion connecter connectez identifiez identification verifier verification confirmer paiement acceder accedez facturation remboursement suspendu
  iniciar sesion acceder accede acceso entrar ingresar verificar verificacion confirmar pago actualizar actualizacion reembolso
  entrar acesse acessar acesso verifique confirme confirmacao pagamento atualizar atualizacao reembolso iniciar sessao
  accedi accesso entra verifica conferma pagamento rimborso aggiorna
  inloggen aanmelden zaloguj logowanie giris войти вход
`);

/** Words beside the name of a brand that do not make another subject of it: “your PayPal account”, but not “a PayPal clone”. */
const FILLING = set(`
  in on up to into the a an your my our of and or for at is has been please now here new
  account accounts id user username password passcode pin email mail webmail mailbox inbox phone online mobile web app portal site website home page
  official secure security safe safety protected protection service services support help center centre customer customers client clients care team
  bank banking internet personal business card cards credit debit wallet tax taxes tracking track parcel package delivery shipment redelivery status alert alerts notice
  notification important required action review document documents file files shared voicemail message messages welcome back use enter continue info details information
  settings premium membership subscription plan live inc llc ltd co corp company com net org www us uk eu all rights reserved copyright corporation group
  de la le les du des el los las un una en et e y o os as do da dos das il lo gli di del della per su sua suo seu tua tu tuo te se ma mon mes moi votre vos notre nos au aux a
  mi mis conto contas conta cuenta cuentas compte comptes espace client clients cliente clientes particuliers banca banque banco area zona portal personale personal personali
  der die das den dem des ihr ihre ihren ihrem sie im zum zur bei am und mein meine meinem konto kundenkonto kunden kundenportal bereich willkommen bienvenue bienvenido bienvenidos bem vindo benvenuto
  passwort kennwort mot passe contrasena senha clave sendung sendungsverfolgung paket paquete colis encomenda envio livraison seguimiento suivi seguridad seguranca sicherheit securite sicurezza
  www mijn moj moje
  free followers follower likes liker auto giveaway gift gifts voucher badge verified winner prize airdrop claim bonus reward rewards promo vote poll unlimited
`);

/** Words of pictures of a brand. */
const PICTURING = set(
  'logo logos logotype icon icons ico favicon brand image img picture symbol mark wordmark header banner bg background small large big dark light white black color colour svg png gif jpg jpeg webp min default full new',
);

export const isAsking = ({ plain }: Word): boolean => ASKING.has(plain);

export const isFilling = (word: Word): boolean => isAsking(word) || FILLING.has(word.plain) || /^\d+$/.test(word.plain);

export const isPicturing = (word: Word): boolean => PICTURING.has(word.plain) || isFilling(word);

/** Words of pages that urge to make haste; in lower case, without accents. */
const URGENCY =
  /(?:account|wallet|mailbox|card|subscription|profile)(?: \w+){0,5} (?:suspended|locked|limited|restricted|disabled|deactivated|deleted|closed|on hold|blocked|expired?)|unusual (?:activity|sign.?in)|unauthori[sz]ed (?:access|activity|transaction)|verify your (?:identity|account|information|email|wallet)|session (?:has )?expired|could not be delivered|payment (?:failed|was declined|could not)|(?:within|in) (?:24|48|72) hours|konto (?:\w+ ){0,4}(?:gesperrt|eingeschrankt|gesperrt)|nicht zugestellt|bestatigen sie ihre (?:daten|identitat)|lauft ab|compte (?:\w+ ){0,4}(?:suspendu|bloque|limite)|a ete suspendu|confirmez vos|mettez a jour|(?:cuenta|tarjeta) (?:\w+ ){0,4}(?:bloqueada|suspendida|limitada)|verifica tu identidad|acceso no autorizado|esta retenido|conto (?:\w+ ){0,4}(?:limitato|sospeso|bloccato)|conferma la tua identita|acesso bloqueado|conta (?:\w+ ){0,4}(?:bloqueada|suspensa)|atualize seus dados|expirou/;

export const isUrgent = (text: string): boolean => URGENCY.test(plainLetters(text));

/** Letters of other scripts by the Latin letter that they look like. */
const ALIKE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ьвЬ',
    c: 'сϲ',
    d: 'ԁɗ',
    e: 'еєεҽ',
    f: 'ƒ',
    g: 'ɡց',
    h: 'һհн',
    i: 'іιıɩ',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏłⅼ',
    m: 'мⅿ',
    n: 'пηո',
    o: 'оοσօøо',
    p: 'рρ',
    q: 'ԛգ',
    r: 'гѓ',
    s: 'ѕʂ',
    t: 'тτ',
    u: 'υսц',
    v: 'ѵν',
    w: 'ԝшωѡ',
    x: 'хχ',
    y: 'уүγ',
    z: 'ʐ',
  }).flatMap(([letter, others]) => [...others].map((other): [string, string] => [other, letter])),
);

const DIGITS: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' };

const NO_WIDTH = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** Returns a text in lower case, without the accents of its letters. */
export function plainLetters(text: string): string {
  const lower = text.toLowerCase();
  return ASCII.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/**
 * Returns a word with the letters that a reader takes it to have: without characters of no width, with Latin letters for
 * those of other scripts, wide and mathematical letters, with letters for digits, `m` for `rn` and `w` for `vv`, and with `l`
 * for a capital `I` inside of a word.
 */
function foldLetters(word: string, plain: string): string {
  if (ASCII.test(plain) && !/\d|rn|vv/.test(plain)) return word.includes('I') ? foldCapitals(word, plain) : plain;
  const letters = Array.from(plain.normalize('NFKC').replace(NO_WIDTH, '').toLowerCase(), (letter) => {
    return ALIKE.get(letter) ?? letter;
  }).join('');
  // A number alone is one.
  if (!/[a-z]/.test(letters)) return letters;
  return letters
    .replace(/[013-578]/g, (digit) => DIGITS[digit] ?? digit)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** In many fonts, a capital `I` among small letters looks like an `l`. */
const foldCapitals = (word: string, plain: string) =>
  /[a-z]I/.test(word) ? plainLetters(word.replaceAll('I', 'l')) : plain;
