import type { Brief, Kind } from '../kit/types.ts';

// A word in the head phrase has at least ten times its weight: "landing page" in "landing page for a timer".
const IN_HEAD = 10;
// The last word of a noun phrase is its noun: a "timer landing page" is a landing page.
const AT_ITS_END = 5;
/** The lowest score that counts as a request for a kind. */
const ENOUGH = 3;

const DENIED =
  /(?<!\p{L})(?:not|no|without|instead of|rather than|unlike|kein\w*|ohne|sans|sin) (?:an? |the |any )?[\p{L}-]+(?: (?:list|app|page|timer|game|board))?/giu;

const whole = (source: string) => new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, 'giu');

function score(kind: Kind, head: string, rest: string): number {
  let best = 0;
  let sum = 0;
  for (const [pattern, weight] of kind.words) {
    const last = [...head.matchAll(whole(pattern))].at(-1);
    if (last)
      best = Math.max(best, weight * (IN_HEAD + (AT_ITS_END * (last.index + last[0].length)) / head.length));
    if (whole(pattern).test(rest)) sum += weight;
  }
  return best + sum;
}

/** Returns the kind that fits a prompt best: the first one of a tie, and the last of the list when none fits. */
export function chooseKind(brief: Brief, kinds: readonly Kind[]): Kind {
  const request = brief.request.replace(DENIED, ' ');
  const head = request.includes(brief.head) ? brief.head : '';
  const rest = request.replace(head, ' ');
  const scored = kinds.map((kind) => ({ kind, score: score(kind, head, rest) }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  const fallback = kinds.at(-1) as Kind;
  return best.score >= ENOUGH ? best.kind : fallback;
}
