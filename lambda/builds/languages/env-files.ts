import { parseEnv } from 'node:util';
import type { Files } from '../files.ts';
import { textOf } from '../files.ts';

/** Later ones take precedence, as in Vite. */
const FILES = ['.env', '.env.local', '.env.production', '.env.production.local'];
const REFERENCE = /\\\$|\$(?:(\w+)|\{(\w+)(?:(?::-|-)([^${}]*))?\})/g;
const LONGEST_VALUE = 65_536;

/**
 * Returns the `VITE_*` variables of the `.env` files and of the request, which takes precedence. `$NAME`, `${NAME}` and
 * `${NAME:-default}` in a file stand for the variables of all files.
 */
export function readEnv(project: Files, request: Readonly<Record<string, string>>): Map<string, string> {
  const all = new Map<string, string>();
  for (const path of FILES) {
    for (const [name, value] of Object.entries(parseEnv(textOf(project, path) ?? '')))
      all.set(name, value ?? '');
  }
  const given = new Map(Object.entries(request));
  const names = [...all.keys()].filter((name) => name.startsWith('VITE_'));
  const variables = new Map(names.map((name) => [name, expand(all.get(name) ?? '', { all, given })]));
  for (const [name, value] of given) if (name.startsWith('VITE_')) variables.set(name, value);
  return variables;
}

/** Replaces references, up to five levels deep: they may be circular. */
function expand(
  value: string,
  known: { all: Map<string, string>; given: Map<string, string> },
  depth = 0,
): string {
  return value
    .replace(REFERENCE, (text, plain?: string, braced?: string, fallback?: string) => {
      const name = plain ?? braced;
      if (name === undefined) return '$';
      const given = known.given.get(name);
      if (given !== undefined) return given;
      const found = known.all.get(name);
      if (found === undefined || found === '') return fallback ?? '';
      return depth < 5 && found !== value ? expand(found, known, depth + 1) : text;
    })
    .slice(0, LONGEST_VALUE);
}
