import { transform } from 'lightningcss';
import { styleError } from './lightning.ts';
import { scanStyles } from './scan.ts';

/** A CSS module. */
export interface CssModule {
  /** With its class names made unique; for `Sheet.css`. */
  readonly css: string;
  /** An ES module that exports the class names, as the default export and by name. It imports the modules that it composes. */
  readonly code: string;
}

/**
 * Makes the class names of a CSS module unique: `title` becomes `_title_<hash of the path>`.
 * @throws BuildError for a syntax error
 */
export function cssModule(path: string, css: string): CssModule {
  scanStyles(path, css);
  try {
    const { code, exports } = transform({
      filename: path,
      code: new TextEncoder().encode(css),
      cssModules: { pattern: '_[local]_[hash]', grid: false, container: false },
    });
    return { css: new TextDecoder().decode(code), code: moduleCode(new Map(Object.entries(exports || {}))) };
  } catch (error) {
    throw styleError(error, path, css);
  }
}

type Exports = NonNullable<Exclude<ReturnType<typeof transform>['exports'], void>>;

function moduleCode(exported: ReadonlyMap<string, Exports[string]>): string {
  const imports = new Map<string, string>();
  const declarations: string[] = [];
  const named: string[] = [];
  const entries: string[] = [];
  const names = [...exported].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, { name: unique, composes }] of names) {
    const classes = [JSON.stringify(unique)];
    for (const composed of composes) {
      if (composed.type === 'dependency') {
        const imported = imports.get(composed.specifier) ?? `m${imports.size}`;
        imports.set(composed.specifier, imported);
        classes.push(`${imported}[${JSON.stringify(composed.name)}]`);
      } else {
        classes.push(JSON.stringify(composed.name));
      }
    }
    const variable = `c${declarations.length}`;
    declarations.push(`const ${variable} = ${classes.join(' + " " + ')};`);
    // Any text can be the name of an export; `default` is the object of all of them.
    if (name !== 'default') {
      named.push(`${variable} as ${JSON.stringify(name)}`);
    }
    entries.push(`[${JSON.stringify(name)}]: ${variable}`);
  }
  const lines = [...imports].map(
    ([specifier, variable]) => `import ${variable} from ${JSON.stringify(specifier)};`,
  );
  return [
    ...lines,
    ...declarations,
    `export { ${named.join(', ')} };`,
    `export default { ${entries.join(', ')} };`,
  ].join('\n');
}
