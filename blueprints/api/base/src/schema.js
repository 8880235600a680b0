import { HttpError } from './http.js';

/** What the API is about, as its paths name it. */
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

/** The known fields of a body; throws 400 for the first that is wrong. `partial` lets all be missing. */
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
