import * as z from 'zod';

/** Matches one value: itself, or a text by its beginning. */
const Matcher = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ prefix: z.string() }),
]);

/**
 * A pattern of events: for each field, the values of which the event must have one. The other comparison operators of
 * EventBridge are rejected.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export type EventPattern = { readonly [field: string]: readonly z.output<typeof Matcher>[] | EventPattern };

export const EventPattern: z.ZodType<EventPattern> = z.lazy(() =>
  z.record(z.string(), z.union([z.array(Matcher).min(1), EventPattern])),
);

/** Reports whether an event, or a part of one, has every field of a pattern. */
export function matchesPattern(pattern: EventPattern, event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false;
  const fields = event as Readonly<Record<string, unknown>>;
  return Object.entries(pattern).every(([name, wanted]) => {
    const value = fields[name];
    if (!isMatchers(wanted)) return matchesPattern(wanted, value);
    // A field with several values matches if one of them does.
    const values = Array.isArray(value) ? value : [value];
    return wanted.some((matcher) => values.some((one) => matchesValue(matcher, one)));
  });
}

function isMatchers(wanted: EventPattern[string]): wanted is readonly z.output<typeof Matcher>[] {
  return Array.isArray(wanted);
}

function matchesValue(matcher: z.output<typeof Matcher>, value: unknown): boolean {
  if (typeof matcher !== 'object' || matcher === null) return matcher === value;
  return typeof value === 'string' && value.startsWith(matcher.prefix);
}
