import { claimsIn } from './claims.ts';
import { DATA_URL, type Findings, type Target } from './findings.ts';
import { type Decoded, decodedNumbers, decodedString, type Literal, nameBefore, readLiterals } from './literals.ts';
import { firstMatches, type Reading } from './reading.ts';
import { isUrgent } from './words.ts';

/** Attributes of fields, as scripts set them. */
const DESCRIBING = /^(?:placeholder|label|autocomplete|aria-?label)$/i;
/** Attributes of anything, which describe a field if one is named shortly before. */
const NAMING = /^(?:name|id)$/;
const FIELD_BEFORE = 120;
const PICTURE = /^(?:alt|aria-?label)$/i;
const ASKING =
  /sign|log|verif|valid|confirm|updat|unlock|restor|suspend|pay|bill|refund|anmeld|zahl|konto|conne|acc|inici|entrar|[^ -~]/i;
const TAGS = /<(?:form|input|h1|h2|img|iframe|button|meta|title|script)\b/i;
const NUMBERED = /^(?:word|seed|phrase|mnemonic)[ #_.-]{1,3}$/i;
const LONGEST_CLAIM = 80;

/** Reads a script. @param depth how many encodings it was in */
export function readScript(code: string, into: Findings, reading: Reading, depth = 0): void {
  new ScriptReader(code, into, reading, depth).read();
}

class ScriptReader {
  readonly #code: string;
  readonly #into: Findings;
  readonly #reading: Reading;
  readonly #depth: number;
  /** The URLs in the code by where they start, and by the name that they are assigned to. */
  readonly #urls = new Map<number, Target>();
  readonly #named = new Map<string, Target>();
  readonly #found: { at: number; decoded: Decoded; length: number }[] = [];
  #escaped = 0;

  constructor(code: string, into: Findings, reading: Reading, depth: number) {
    this.#code = code;
    this.#into = into;
    this.#reading = reading;
    this.#depth = depth;
  }

  read(): void {
    readLiterals(this.#code, {
      literal: (literal) => this.#literal(literal),
      numbers: (list) => this.#decoded(decodedNumbers(list), list.length),
    });
    this.#calls();
    this.#hiding();
  }

  #literal({ value, start, first, escaped }: Literal): void {
    this.#escaped += escaped;
    if (value.length < 3) return;
    if (DATA_URL.test(value)) this.#into.collects = true;
    const name = nameBefore(this.#code, start);
    const target = this.#reading.hiddenUrl(value, first, escaped);
    if (target) this.#url(target, start, name);
    else if (TAGS.test(value)) this.#reading.page(value, this.#into, this.#depth);
    else if (value.length >= 120) this.#decoded(decodedString(value), value.length);
    if (value.length <= LONGEST_CLAIM) this.#text(value, name, start);
  }

  #url(target: Target, start: number, name: string): void {
    if (this.#urls.size > 2_000) return;
    this.#urls.set(start, target);
    if (name !== '') this.#named.set(name, target);
    this.#into.url(target);
    if (name === 'action') this.#into.add('sends', target);
  }

  #describes(name: string, start: number): boolean {
    if (!NAMING.test(name)) return DESCRIBING.test(name);
    return /input|textarea/i.test(this.#code.slice(Math.max(0, start - FIELD_BEFORE), start));
  }

  #text(value: string, name: string, start: number): void {
    const { budget } = this.#reading;
    if (name === 'type' && value === 'password') this.#into.fields.add('', 'password');
    else if (this.#describes(name, start) && budget.take('fields', 1)) this.#into.fields.add(value);
    // The fields of a phrase, which a loop makes.
    if (NUMBERED.test(value)) this.#into.numbered += 12;
    const isPicture = PICTURE.test(name);
    if (!(isPicture || name === 'title' || (value.includes(' ') && ASKING.test(value)))) return;
    if (!budget.take('text', value.length)) return;
    const place = name === 'title' && this.#code.includes('document.title') ? 'title' : 'text';
    this.#into.claim(claimsIn(value, isPicture ? 'picture' : place));
    this.#reading.words(value, this.#into);
    this.#into.isUrgent ||= isUrgent(value);
  }

  #decoded(decoded: Decoded | undefined, length: number): void {
    if (decoded === undefined) return;
    if (this.#found.length < 100) this.#found.push({ at: 0, decoded, length });
    if (decoded.kind === 'page') {
      this.#into.hidings.add('encoded page');
      this.#reading.page(decoded.text, this.#into, this.#depth + 1);
    } else if (decoded.kind === 'script') {
      this.#reading.script(decoded.text, this.#into, this.#depth + 1);
    }
  }

  #calls(): void {
    const code = this.#code;
    const urls = { at: this.#urls, named: this.#named };
    for (const target of postsTo(code, urls)) this.#into.add('sends', target);
    const { targets, program, clicks } = leavesAtOnce(code, urls);
    for (const target of targets) this.#into.add('redirects', target);
    if (program) this.#into.downloads.add('program');
    for (const name of clicks) this.#into.clicks.add(name);
    const hasProgram = this.#found.some(({ decoded }) => decoded.kind === 'program');
    const hasOpaque = this.#found.some(({ decoded }) => decoded.kind === 'opaque');
    if (clicks.size > 0 && /createObjectURL|msSaveB|msSaveOrOpenB/.test(code)) {
      if (hasProgram || (hasOpaque && PROGRAM_NAME.test(code))) this.#into.downloads.add('smuggled');
      else if (/\.download\b|msSave/.test(code)) this.#into.downloads.add('instant');
    }
    this.#into.readsAddress ||= /location\.hash|location\.search/.test(code) && /['"`]@|mail/i.test(code);
  }

  #hiding(): void {
    const code = this.#code;
    const { hidings } = this.#into;
    if (this.#escaped >= 40) hidings.add('escapes');
    if (code.split('_0x', 41).length > 40) hidings.add('names');
    const opaque = this.#found.filter(({ decoded }) => decoded.kind === 'opaque');
    const length = opaque.reduce((sum, one) => sum + one.length, 0);
    if (length * 2 < code.length || length === 0) return;
    if (!/atob|fromCharCode|charCodeAt|unescape|decrypt|parseInt/.test(code)) return;
    if (/document\.write|innerHTML|outerHTML|srcdoc|insertAdjacentHTML|createContextualFragment/.test(code))
      hidings.add(/decrypt/.test(code) ? 'sealed page' : 'opaque page');
    else if (/\beval\b|\bFunction\(|\.constructor\(/.test(code)) hidings.add('opaque script');
  }
}

/** The URLs of a script: by where each starts, and by the name that it is assigned to. */
interface Urls {
  readonly at: ReadonlyMap<number, Target>;
  readonly named: ReadonlyMap<string, Target>;
}

/** Names of files that run, or that hold some that do. */
export const PROGRAM_NAME =
  /\.(?:exe|msi|msix|appx|scr|bat|cmd|ps1|vbs|vbe|jse|wsf|hta|lnk|iso|img|vhdx?|dmg|pkg|apk|jar|zip|rar|7z|cab|xlsm|docm)["'`?#]/i;

/** Code has fewer parentheses than letters with which one of the names may begin. */
const SENDING = /(?<=\b(fetch|sendBeacon|WebSocket|EventSource|axios(?:\.\w+)?|ajax|post|open)\s{0,9})\(\s{0,9}/g;
const SETTING_SOURCE = /\.src\s{0,9}=\s{0,9}/g;
const LEAVING =
  /\blocation(?:\.href)?\s{0,9}=(?!=)\s{0,9}|\blocation\.(?:replace|assign)\s{0,9}\(\s{0,9}|\bwindow\.open\s{0,9}\(\s{0,9}/g;
const CLICKING = /\.click\s{0,9}\(\s{0,9}\)|\bmsSave(?:OrOpen)?Blob\b/g;
/** The id or the variable before a call of `click`. */
const CLICKED = /(?:\(\s*["'`]#?([\w-]+)["'`]\s*\)|([\w$]+))\s*\??$/;
const LONGEST_CLICKED = 80;

/** Code after which something happens because of a visitor. */
const INTERACTION =
  /addEventListener\s{0,9}\(\s{0,9}["'`](?:click|submit|key|input|change|pointer|touch|mouse|drag|drop)|on(?:click|submit|change|input|key\w{1,5}|mouse\w{1,5}|touch\w{1,5})\b|@click|@submit|\.(?:click|submit|change)\s{0,9}\(\s{0,9}(?:function|\(|\w{1,20}\s{0,9}=>)/i;

/** How many calls of a kind are read, so that the work on a script is bounded. */
const MOST_CALLS = 500;
const ARGUMENTS = 600;
const BEFORE = 400;

const callsOf = (code: string, pattern: RegExp) => firstMatches(code, pattern, MOST_CALLS);

/** Returns the URLs to which a script sends what it has, rather than from which it loads something. */
function postsTo(code: string, urls: Urls): Target[] {
  const found: Target[] = [];
  const calls = callsOf(code, SENDING);
  for (const call of calls) {
    const { 0: text, 1: name = '', index } = call;
    const start = index + text.length;
    const rest = code.slice(start, start + ARGUMENTS);
    const target = targetIn(...argumentOf(name, rest, start), urls);
    if (target && (isPost(name, rest) || isTold(target, rest))) found.push(target);
  }
  for (const { 0: text, index } of callsOf(code, SETTING_SOURCE)) {
    const start = index + text.length;
    const rest = code.slice(start, start + ARGUMENTS);
    const target = targetIn(...argumentOf('', rest, start), urls);
    if (target && isTold(target, rest)) found.push(target);
  }
  if (/\bemailjs\s{0,9}\.\s{0,9}send/.test(code))
    found.push({ url: 'https://api.emailjs.com/', host: 'api.emailjs.com' });
  if (calls.length > 0) found.push(...[...urls.at.values()].filter(({ isHidden }) => isHidden));
  return found;
}

function isPost(name: string, rest: string): boolean {
  if (name === 'sendBeacon' || name === 'WebSocket' || name.endsWith('post')) return true;
  if (name === 'open') return /^[^,]{0,12}post/i.test(rest);
  return /\b(?:method|type)["']?\s{0,9}:\s{0,9}["'`](?:post|put|patch)|\bbody["']?\s{0,9}:/i.test(rest);
}

/** Whether something is added to the query of the URL; bots of Telegram take what they are told in it too. */
const isTold = ({ host }: Target, rest: string): boolean =>
  host === 'api.telegram.org' || /^[^;]{0,300}[?&][\w-]{1,30}=["'`]?\s{0,9}(?:\+|\$\{)/.test(rest);

/** Returns the argument of a call that has the URL, as far as it can be told, and where it starts in the code. */
function argumentOf(name: string, rest: string, start: number): readonly [argument: string, start: number] {
  if (rest.startsWith('{')) return [rest.slice(0, 300), start];
  const from = name === 'open' ? rest.indexOf(',') + 1 : 0;
  const end = rest.indexOf(',', from);
  return [rest.slice(from, end === -1 ? undefined : end), start + from];
}

/** Returns the URL in a part of the code: as a string there, or by its name. */
function targetIn(part: string, start: number, { at, named }: Urls): Target | undefined {
  for (const { 0: word, index } of part.matchAll(/["'`]|[\w$]+/g)) {
    const target = at.get(start + index) ?? named.get(word);
    if (target) return target;
  }
  return undefined;
}

/** Returns where a script leads without a visitor's doing, and the names of what it clicks, and whether it loads a program. */
function leavesAtOnce(
  code: string,
  urls: Urls,
): { readonly targets: readonly Target[]; readonly program: boolean; readonly clicks: ReadonlySet<string> } {
  const targets: Target[] = [];
  let program = false;
  for (const { 0: text, index } of callsOf(code, LEAVING)) {
    if (isInteractive(code, index)) continue;
    const start = index + text.length;
    const rest = code.slice(start, start + ARGUMENTS);
    const [argument = ''] = rest.split(/[;\n]/, 1);
    if (PROGRAM_NAME.test(argument)) program = true;
    else {
      const target = targetIn(argument, start, urls);
      if (target) targets.push(target);
    }
  }
  const clicks = callsOf(code, CLICKING)
    .filter(({ index }) => !isInteractive(code, index))
    .map(({ index }) => {
      const [, id, variable] = CLICKED.exec(code.slice(Math.max(0, index - LONGEST_CLICKED), index)) ?? [];
      return id ?? variable ?? '';
    });
  return { targets, program, clicks: new Set(clicks) };
}

const isInteractive = (code: string, at: number) => INTERACTION.test(code.slice(Math.max(0, at - BEFORE), at));
