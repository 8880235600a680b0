import { ELLIPSIS, type Recording } from './recording.ts';

/** The time of the examples, 2026-11-21, in Unix milliseconds. */
const NOW = 1_795_276_750_000;

/** Milliseconds after `NOW`, by field. */
const TIMES: Readonly<Record<string, number>> = {
  createdAt: 0,
  created_at: 0,
  startedAt: 100,
  finishedAt: 300,
  deployedAt: 0,
  deletedAt: 60_000,
  claimedAt: 30_000,
  addedAt: 30_000,
  expiresAt: 604_800_000,
  copiesUntil: 120_000,
  backupsUntil: 60_000 + 35 * 86_400_000,
  updated_at: 1_000,
  expires_at: 900_000,
};

/** Milliseconds, by field; consistent with `TIMES`. */
const DURATIONS: Readonly<Record<string, number>> = {
  duration: 300,
  ms: 200,
  firstTokenMs: 120,
  firstFileMs: 150,
};

/** Characters of a file's content that are shown. */
const CONTENT_LENGTH = 32;

/** Values to replace, by the recorded value; strings are also replaced within longer ones. */
export type Aliases = ReadonlyMap<string | number, string | number>;

/** Returns a recording with ids, tokens, times and durations replaced, and long values shortened. */
export function stableRecording({ request, response }: Recording, aliases: Aliases): Recording {
  const { body: sent, ...sentRest } = request;
  const { body: received, ...receivedRest } = response;
  return {
    request: {
      ...(stable(sentRest, aliases) as typeof request),
      ...(sent === undefined ? {} : { body: stable(sent, aliases) }),
    },
    response: {
      ...(stable(receivedRest, aliases) as typeof response),
      ...(received === undefined ? {} : { body: stable(shorten(received), aliases) }),
    },
  };
}

function stable(value: unknown, aliases: Aliases, key = ''): unknown {
  if (typeof value === 'string') return stableText(value, aliases);
  if (typeof value === 'number') return aliases.get(value) ?? stableNumber(value, key);
  if (Array.isArray(value)) return value.map((element) => stable(element, aliases));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, stable(field, aliases, name)]);
  const object = Object.fromEntries(fields) as Record<string, unknown>;
  return typeof object.calls === 'number' ? { ...object, ms: object.calls * (DURATIONS.ms ?? 0) } : object;
}

function stableNumber(value: number, key: string): number {
  const offset = TIMES[key];
  return offset === undefined ? (DURATIONS[key] ?? value) : NOW + offset;
}

/** Also removes deployment tokens, and the path and signature of presigned URLs. */
function stableText(text: string, aliases: Aliases): string {
  let result = text
    .replace(/ptd_[\w.-]+/g, `ptd_${ELLIPSIS}`)
    .replace(/^(https?:\/\/[^/]+)\/.*\?.*X-Amz-Signature=.*$/, `$1/${ELLIPSIS}?X-Amz-Algorithm=${ELLIPSIS}`);
  for (const [recorded, alias] of aliases) result = result.replaceAll(String(recorded), String(alias));
  return result;
}

/** Keeps the first element of arrays, and the start of the contents of files. */
function shorten(value: unknown, key = ''): unknown {
  if (typeof value === 'string' && key === 'content' && value.length > CONTENT_LENGTH)
    return `${value.slice(0, CONTENT_LENGTH).trimEnd()} ${ELLIPSIS}`;
  if (Array.isArray(value))
    return [...value.slice(0, 1).map((element) => shorten(element)), ...(value.length > 1 ? [ELLIPSIS] : [])];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shorten(field, name)]));
}
