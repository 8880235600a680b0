import { record } from './packages/manifest.ts';
import { BuildError, placeOf } from './problems.ts';

/** A JSON file of the project. */
export interface JsonSource {
  readonly path: string;
  readonly text: string;
}

/** Returns the value of a text; undefined if it is not valid JSON. */
export function valueIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Returns the members of an object in JSON; none if the text is no such object. */
export const membersIn = (text: string | undefined) => record(valueIn(text));

/** Returns the parsed text. @throws BuildError with the place of the first character that is not JSON */
export function parseJson({ path, text }: JsonSource): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = String((error as Error).message).replace(/ in JSON at position.*| *, *\S*".*/s, '');
    throw new BuildError([{ message: `Invalid JSON: ${reason}`, ...placeOf(path, text, invalidOffset(text)) }]);
  }
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
