/** The mean, the lowest and the highest of some numbers; undefined when there are none. */
export function summarize(values) {
  if (values.length === 0) return undefined;
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: Math.min(...values),
    high: Math.max(...values),
  };
}

/** The numbers from one index to another, both included and in any order. */
export const between = (values, from, to) => values.slice(Math.min(from, to), Math.max(from, to) + 1);
