import { DATA_LIMITS } from '../../contract/limits.ts';
import type { Collection } from './declaration.ts';
import type { DataRequest } from './request.ts';
import { DataProblem } from './response.ts';
import type { Fields, Json } from './store.ts';
import { validate } from './validate.ts';

/** Escapes and white space of an item, and the boundaries of a form. */
const MAX_BODY_BYTES = 65_536;

/** Returns the fields of an item, or throws a DataProblem. */
export function accept(
  collection: Collection,
  value: Json,
): { readonly fields: Fields; readonly bytes: number } {
  const result = validate(collection.schema, value);
  if ('error' in result) {
    const { field, error } = result;
    throw new DataProblem('invalid', error, field === '' ? {} : { field });
  }
  const bytes = sizeOf(result.fields);
  if (bytes > DATA_LIMITS.itemBytes)
    throw new DataProblem('too_large', `An item must not exceed ${DATA_LIMITS.itemBytes / 1_024} KB`);
  return { fields: result.fields, bytes };
}

export function sizeOf(fields: Fields): number {
  return new TextEncoder().encode(JSON.stringify(fields)).length;
}

export function checkBody({ headers, body }: DataRequest): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity')
    throw new DataProblem('unsupported_media_type', 'Send the body without Content-Encoding');
  if (body.length > MAX_BODY_BYTES)
    throw new DataProblem('too_large', `The body must not exceed ${MAX_BODY_BYTES / 1_024} KB`);
}

export function unsupported(expected: string): DataProblem {
  return new DataProblem('unsupported_media_type', `The Content-Type must be ${expected}`);
}

export function parse(body: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new DataProblem('invalid', 'The body is not valid JSON');
  }
}

export function isRecord(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
