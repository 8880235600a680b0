import type { BuildContext } from '../context.ts';
import { textOf } from '../files.ts';
import type { Language } from './language.ts';
import { hasPublicFile } from './public-strings.ts';

/** JSON that names files of `public/`, as a script, so that they get the base. All other JSON is the bundler's. */
export function json(context: BuildContext): Language {
  return {
    load(id) {
      const text = id.endsWith('.json') ? textOf(context.project, id) : undefined;
      if (text === undefined || !hasPublicFile(text, context.project)) return undefined;
      const code = scriptOf(text);
      return code === undefined ? undefined : { code, moduleType: 'js', moduleSideEffects: false };
    },
  };
}

/** A module with the same exports: the whole, and each member whose name is an identifier. */
function scriptOf(text: string): string | undefined {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const exported = names.filter(
    (name) => /^[a-z_$][\w$]*$/i.test(name) && name !== 'default' && name !== '__proto__',
  );
  const members = exported.map(
    (name, index) => `const _${index} = json.${name};\nexport { _${index} as ${name} };`,
  );
  return `const json = ${JSON.stringify(value)};\nexport default json;\n${members.join('\n')}`;
}

/** Undefined if it is no JSON, which the bundler reports. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
