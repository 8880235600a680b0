import type { Target } from './findings.ts';
import { firstMatches } from './matches.ts';

/** The URLs of a script: by where each starts, and by the name that it is assigned to. */
interface Urls {
  readonly at: ReadonlyMap<number, Target>;
  readonly named: ReadonlyMap<string, Target>;
}

/** Names of files that run, or that hold some that do. */
export const PROGRAM_NAME =
  /\.(?:exe|msi|msix|appx|scr|bat|cmd|ps1|vbs|vbe|jse|wsf|hta|lnk|iso|img|vhdx?|dmg|pkg|apk|jar|zip|rar|7z|cab|xlsm|docm)["'`?#]/i;

const SENDING = /\b(fetch|sendBeacon|WebSocket|EventSource|axios(?:\.\w+)?|ajax|post|open)\s{0,9}\(\s{0,9}/g;
const SETTING_SOURCE = /\.src\s{0,9}=\s{0,9}/g;
const LEAVING =
  /\blocation(?:\.href)?\s{0,9}=(?!=)\s{0,9}|\blocation\.(?:replace|assign)\s{0,9}\(\s{0,9}|\bwindow\.open\s{0,9}\(\s{0,9}/g;
const CLICKING = /\.click\s{0,9}\(\s{0,9}\)|\bmsSave(?:OrOpen)?Blob\b/g;
/** What is clicked, before the call: an id, or a variable. */
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
export function postsTo(code: string, urls: Urls): Target[] {
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
export function leavesAtOnce(
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

const isInteractive = (code: string, at: number) =>
  INTERACTION.test(code.slice(Math.max(0, at - BEFORE), at));
