/**
 * Bounds of texts in items and in states of state machines. An item of DynamoDB has at most 400 KB, a state of Step Functions
 * 256 KB, and whoever exceeds one loses the whole write, or the whole execution.
 */
const MOST_CHARACTERS = 300;
const MOST_PROBLEMS = 40;

/** Ends a list that was cut. */
const MORE = /^and (\d+) more$/;

/** Returns a text of at most 300 UTF-16 code units and an ellipsis, without half a surrogate pair. */
export function boundedText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Returns at most 40 problems, each a bounded text, and how many more there are, such as `and 12 more`. Lists that were bounded
 * before can be joined and bounded again: the number stays right.
 */
export function boundedProblems(problems: readonly string[]): string[] {
  const listed = problems.filter((problem) => !MORE.test(problem));
  const unlisted = problems.reduce((sum, problem) => sum + Number(MORE.exec(problem)?.[1] ?? 0), 0);
  const shown = listed.slice(0, MOST_PROBLEMS).map(boundedText);
  const more = listed.length - shown.length + unlisted;
  return more === 0 ? shown : [...shown, `and ${more} more`];
}
