/** Returns the votes of each option and their part of all votes in percent, in the order of the options. */
export function sharesOf(tally, options) {
  const votes = options.map((option) => tally[option] ?? 0);
  const total = votes.reduce((sum, n) => sum + n, 0);
  return options.map((option, index) => ({
    option,
    votes: votes[index],
    percent: total === 0 ? 0 : Math.round((votes[index] * 100) / total),
  }));
}
