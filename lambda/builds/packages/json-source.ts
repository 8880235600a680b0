import type { BuildProblem } from '../../contract/builds.ts';
import { placeOf } from '../place.ts';
import { BuildError } from '../problem.ts';

/** A JSON file of the project. */
export interface JsonSource {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the parsed text.
 * @throws BuildError with the place of the first character that is not JSON
 */
export function parseJson({ path, text }: JsonSource): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = String((error as Error).message).replace(/ in JSON at position.*| *, *\S*".*/s, '');
    throw new BuildError([problemAt({ path, text }, invalidOffset(text), `Invalid JSON: ${reason}`)]);
  }
}

/** Returns a problem at an offset of a file. */
export function problemAt({ path, text }: JsonSource, offset: number, message: string): BuildProblem {
  return { message, ...placeOf(path, text, offset) };
}

/** Returns where the text has a member of this name, after the given offset; its value may be in another object. */
export function memberOffset(text: string, name: string, after = 0): number | undefined {
  const quoted = JSON.stringify(name);
  for (let at = text.indexOf(quoted, after); at >= 0; at = text.indexOf(quoted, at + 1)) {
    if (/^\s*:/.test(text.slice(at + quoted.length, at + quoted.length + 20))) return at;
  }
  return undefined;
}

/** Not every message of `JSON.parse` has a position: searches for the shortest prefix that no text can complete. */
function invalidOffset(text: string): number {
  let valid = 0;
  let invalid = text.length + 1;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isPrefixOfJson(text.slice(0, middle))) valid = middle;
    else invalid = middle;
  }
  return Math.min(valid, Math.max(0, text.length - 1));
}

function isPrefixOfJson(prefix: string): boolean {
  try {
    JSON.parse(prefix);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    return /end of JSON input|Unterminated string/.test(message) || Number(position) >= prefix.length;
  }
}
