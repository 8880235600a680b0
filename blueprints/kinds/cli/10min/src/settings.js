import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { Failure } from './entries.js';

/** The known settings and their types. */
const KNOWN = { file: 'string', all: 'boolean', json: 'boolean' };

function parse(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw new Failure(`${path} cannot be read: ${error.message}`, 1);
  }
}

/**
 * Returns the settings of a file, without those `given` on the command line, which take precedence. A missing file has
 * no settings. Throws Failure for an unknown setting or a wrong type, so that a typing error is noticed.
 */
export function readSettings(path, given) {
  const settings = Object.entries(parse(path));
  for (const [key, value] of settings) {
    if (!Object.hasOwn(KNOWN, key)) throw new Failure(`${path}: there is no setting “${key}”, only ${Object.keys(KNOWN).join(', ')}.`, 2);
    if (typeof value !== KNOWN[key]) throw new Failure(`${path}: “${key}” must be a ${KNOWN[key]}.`, 2);
  }
  const open = settings.filter(([key]) => !given.has(key));
  return Object.fromEntries(open.map(([key, value]) => [key, key === 'file' ? value.replace(/^~(?=\/)/, homedir()) : value]));
}
