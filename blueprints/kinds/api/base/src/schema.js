import { HttpError } from './http.js';

/** The resource, as it appears in paths. */
export const resource = '{{resource}}';

/** The fields that callers may set. */
export const fields = '{{schema}}';

const MAX_LENGTH = 1000;

function problemWith({ name, type }, value) {
  if (typeof value !== type) return `${name} must be a ${type}`;
  if (type === 'string' && value.trim() === '') return `${name} is empty`;
  if (type === 'string' && value.length > MAX_LENGTH) return `${name} is longer than ${MAX_LENGTH} characters`;
  return '';
}

/** Returns the known fields of a body, or throws 400 for the first invalid one. `partial` makes all of them optional. */
export function validate(body, { partial }) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new HttpError(400, 'Send one JSON object');
  const values = {};
  for (const field of fields) {
    const value = body[field.name];
    if (value === undefined) {
      if (field.required && !partial) throw new HttpError(400, `${field.name} is missing`);
      continue;
    }
    const problem = problemWith(field, value);
    if (problem) throw new HttpError(400, problem);
    values[field.name] = value;
  }
  return values;
}
