import type { Brief, Kind } from '../kit/types.ts';

// In the phrase that names the thing a word counts ten times and more: "landing page for a timer".
const IN_HEAD = 10;
// The later in that phrase, the more it is its noun: a "timer landing page" is a landing page.
const AT_ITS_END = 5;
/** Below this nothing in the prompt really asks for a kind. */
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

/** The kind that a prompt asks for; the first of the list wins a tie, the last takes what fits none. */
export function chooseKind(brief: Brief, kinds: readonly Kind[]): Kind {
  const request = brief.request.replace(DENIED, ' ');
  const head = request.includes(brief.head) ? brief.head : '';
  const rest = request.replace(head, ' ');
  const scored = kinds.map((kind) => ({ kind, score: score(kind, head, rest) }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  const fallback = kinds.at(-1) as Kind;
  return best.score >= ENOUGH ? best.kind : fallback;
}
