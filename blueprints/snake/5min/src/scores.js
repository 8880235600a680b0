const KEPT = 5;

/** A list of scores with one more, the highest first; equal ones in the order in which they were reached. */
export const withScore = (scores, entry) =>
  entry.score > 0 ? [...scores, entry].sort((a, b) => b.score - a.score).slice(0, KEPT) : scores;
