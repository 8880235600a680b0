import * as z from 'zod';
import { editDistance, kindOf, quote } from '../lambda/contract/messages.ts';

/**
 * Returns the message of a configuration error whose schema has none, to follow the path of the value. Pass it to Zod as
 * the option `error`.
 */
export function configMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  if (input === undefined) return 'is required';
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, knownKeys(issue.inst));
    case 'invalid_type':
      // A misplaced string may be an API key: it is not shown.
      return `must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}, not ${typeof input === 'number' ? input : kindOf(input)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}, not ${quote(input)}`;
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}, not ${input}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}, not ${input}`;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

function knownKeys(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodRecord ? Array.from(schema.keyType._zod.values ?? [], String) : [];
}

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  const each = keys.map((key) => {
    const distanceTo = (name: string) => editDistance(key.toLowerCase(), name.toLowerCase());
    const [nearest = ''] = known.toSorted((a, b) => distanceTo(a) - distanceTo(b));
    return `${quote(key)}${distanceTo(nearest) <= MAX_TYPOS ? ` (did you mean "${nearest}"?)` : ''}`;
  });
  return `unknown key ${each.join(' and ')}: the keys are ${known.join(', ')}`;
}

/** The distance up to which a key is taken for a misspelt one. */
const MAX_TYPOS = 2;
