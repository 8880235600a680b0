import type * as z from 'zod';

type Message = { error: z.core.$ZodErrorMap };

/** Returns the message "prompt is required: …" for a missing field, "prompt must be a string, not a number" otherwise. */
export function text(field: string, meaning: string): Message {
  return {
    error: (issue) => missing(issue.input, field, meaning) ?? `${field} must be a string, not ${kindOf(issue.input)}`,
  };
}

export function list(field: string, meaning: string): Message {
  return {
    error: (issue) => missing(issue.input, field, meaning) ?? `${field} must be an array, not ${kindOf(issue.input)}`,
  };
}

export function object(what: string): Message {
  return { error: (issue) => `${what} must be a JSON object, not ${kindOf(issue.input)}` };
}

export function oneOf(field: string, values: readonly string[]): Message {
  return {
    error: ({ input }) =>
      missing(input, field, `one of ${values.join(', ')}`) ??
      `${field} must be one of ${values.join(', ')}, not ${quote(input)}`,
  };
}

/** Returns the message "prompt has 10,001 characters: at most 10,000 are accepted"; `measure` returns the first number. */
export function atMost(field: string, limit: number, unit: string, measure: (input: unknown) => number): Message {
  return {
    error: (issue) =>
      `${field} has ${measure(issue.input).toLocaleString('en')} ${unit}: at most ${limit.toLocaleString('en')} are accepted`,
  };
}

/** Returns the message for a list with more entries than are accepted. */
export function atMostEntries(field: string, limit: number): Message {
  return atMost(field, limit, 'entries', (input) => (input as unknown[]).length);
}

/** Returns a check that exactly one of two fields is sent. @param meaning of the first one, or of both */
export function exactlyOne<Name extends string>(one: Name, other: Name, meaning: string) {
  return (sent: { readonly [Field in Name]?: unknown }, context: z.RefinementCtx): void => {
    const isSent = sent[one] !== undefined;
    if (isSent !== (sent[other] !== undefined)) return;
    context.addIssue(
      isSent ? `${one} and ${other} exclude each other: send one of them` : `${one} is required: ${meaning}`,
    );
  };
}

/** Returns a value as JSON for a message, truncated to 58 characters. */
export function quote(value: unknown): string {
  const shown = JSON.stringify(value) ?? 'undefined';
  return shown.length > 60 ? `${Array.from(shown).slice(0, 57).join('')}…` : shown;
}

function missing(input: unknown, field: string, meaning: string): string | undefined {
  return input === undefined ? `${field} is required: ${meaning}` : undefined;
}

/** Returns the JSON type of a value with its article: "an array". */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Returns a problem with its place as one line: `src/app.js:12:8: Uncaught TypeError: x is undefined`. */
export function placedLine({ path, line, column, message }: Placed): string {
  const place = [path, line, column].filter((part) => part !== undefined).join(':');
  return place === '' ? message : `${place}: ${message}`;
}

interface Placed {
  readonly message: string;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Returns the number of letters to add, remove or replace (Levenshtein). The time grows with the product of the lengths. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [at, letter] of Array.from(from).entries()) {
    const next = [at + 1];
    for (let index = 0; index < to.length; index++) {
      const replaced = (row[index] ?? 0) + (letter === to[index] ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
