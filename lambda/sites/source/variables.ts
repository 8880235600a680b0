import { parseEnv } from 'node:util';
import { VARIABLE_LIMITS } from '../../contract/limits.ts';

/** The files that Vite reads for production, at the root of the project. Later ones take precedence. */
export const ENV_FILES = ['.env', '.env.local', '.env.production', '.env.production.local'];
const REFERENCE = /\\\$|\$(?:(\w+)|\{(\w+)(?:(?::-|-)([^${}]*))?\})/g;
/** References may be circular, and each can stand for many others. */
const MOST_REFERENCES = 1_000;

/** Returns whether a file may have secrets: it is read for a build, and never stored or published. */
export function isEnvFile(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).startsWith('.env');
}

/**
 * Returns the `VITE_*` variables of the `.env` files and of the request, which takes precedence. `$NAME`, `${NAME}` and
 * `${NAME:-default}` in a file stand for the variables of all files.
 */
export function readVariables(
  files: ReadonlyMap<string, Uint8Array>,
  request: Readonly<Record<string, string>>,
): Map<string, string> {
  const all = new Map<string, string>();
  for (const path of ENV_FILES) {
    const text = new TextDecoder().decode(files.get(path));
    for (const [name, value = ''] of Object.entries(parseEnv(text))) all.set(name, value);
  }
  const given = Object.entries(request);
  const known = new Map([...all, ...given]);
  const references = { left: MOST_REFERENCES };
  const variables = new Map<string, string>();
  for (const [name, value] of all) if (name.startsWith('VITE_')) variables.set(name, expand(value, known, references));
  for (const [name, value] of given) if (name.startsWith('VITE_')) variables.set(name, value);
  return variables;
}

/** Replaces references, up to five levels deep. */
function expand(value: string, known: ReadonlyMap<string, string>, references: { left: number }, depth = 0): string {
  return value.replace(REFERENCE, (text, plain?: string, braced?: string, fallback?: string) => {
    const name = plain ?? braced;
    if (name === undefined) return '$';
    if (depth === 5 || references.left-- <= 0) return text;
    // A longer value is too long for a variable.
    const found = known.get(name)?.slice(0, VARIABLE_LIMITS.bytes + 1);
    return found ? expand(found, known, references, depth + 1) : (fallback ?? '');
  });
}

/** Returns why variables cannot be part of a page, or undefined if they can. */
export function variablesProblem(variables: ReadonlyMap<string, string>): string | undefined {
  const { names, bytes } = VARIABLE_LIMITS;
  const size = Buffer.byteLength([...variables].flat().join(''));
  if (variables.size <= names && size <= bytes) return undefined;
  return `There are ${variables.size} VITE_ variables with ${size} bytes: at most ${names} with ${bytes} bytes are accepted`;
}
