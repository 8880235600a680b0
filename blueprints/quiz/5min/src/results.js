const KEPT = 50;

/** The list with one more round, the newest first: `{ when, score, of, pace }`. */
export const withRound = (rounds, round) => [round, ...rounds].slice(0, KEPT);

/** How the newest round compares to the ones before: a sentence, or '' for the first. */
export function compare([newest, ...before]) {
  if (before.length === 0) return '';
  const share = ({ score, of }) => score / of;
  const best = Math.max(...before.map(share));
  const average = before.reduce((sum, round) => sum + share(round), 0) / before.length;
  if (share(newest) > best) return 'Your best round so far.';
  if (share(newest) >= average) return 'Better than your average.';
  return `Your average is ${Math.round(average * 100)} %.`;
}
