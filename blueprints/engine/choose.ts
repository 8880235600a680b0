import type { Brief, Kind } from '../kit/types.ts';
import { BEYOND } from './beyond.ts';

// A word in the head phrase has at least ten times its weight: "landing page" in "landing page for a timer".
const IN_HEAD = 10;
// The last word of a noun phrase is its noun: a "timer landing page" is a landing page.
const AT_ITS_END = 5;
/** The lowest score of a request for a kind: one word that asks for it, or two that hint at it. */
const ENOUGH = 3;
/** The same if the prompt asks for something that has another name: "a flux capacitor that shows my tasks". */
const ENOUGH_FOR_ANOTHER = 4;

/** Heads that leave open what is asked for. */
const OPEN =
  /^(?:\p{L}+ )?(?:(?:web ?|mobile )?(?:apps?|applications?|program|tool|website|site|page)|(?:some|any)?thin[gk]?|somewhere|place|way|game|helper|ui|aplicación|aplicativo|programa|herramienta|ferramenta|outil|appli|programm|anwendung|werkzeug|seite|webseite|página|sitio|site web)?$/iu;

const DENIED =
  /(?<!\p{L})(?:not|no|without|instead of|rather than|unlike|kein\w*|ohne|sans|sin|sem) (?:an? |the |any )?[\p{L}-]+(?: (?:list|app|page|timer|game|board))?/giu;

const whole = (source: string) => new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, 'giu');

/** Returns the weight of the words found: the heaviest one of the head, and the sum of all others. */
function score(words: Kind['words'], request: string, head: string): number {
  const start = request.indexOf(head);
  const end = start + head.length;
  let best = 0;
  let sum = 0;
  for (const [pattern, weight] of words) {
    const found = [...request.matchAll(whole(pattern))];
    const last = found.findLast(({ index }) => index >= start && index < end);
    if (last) {
      const place = Math.min(1, (last.index + last[0].length - start) / head.length);
      best = Math.max(best, weight * (IN_HEAD + AT_ITS_END * place));
    }
    if (found.some(({ index }) => index < start || index >= end)) sum += weight;
  }
  return best + sum;
}

/**
 * Returns the kind that fits a prompt best, the first one of a tie, or undefined if none fits: a wrong starter is worse
 * than none, and so is one that cannot hold what the prompt names.
 */
export function chooseKind(brief: Brief, kinds: readonly Kind[]): Kind | undefined {
  const request = brief.request.replace(DENIED, ' ');
  const head = request.includes(brief.head) ? brief.head : '';
  const fitting = kinds.filter((kind) => kind.fits?.(brief) ?? true);
  const scored = fitting.map((kind) => ({ kind, score: score(kind.words, request, head) }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  const enough = OPEN.test(head) ? ENOUGH : ENOUGH_FOR_ANOTHER;
  return best.score >= enough && best.score > score(BEYOND, request, head) ? best.kind : undefined;
}
