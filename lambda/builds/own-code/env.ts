import type { BuildContext } from '../context.ts';
import { placeOf } from '../problems.ts';
import { bare, isNamed, isOfImportMeta, type Node, propertyOf, type Rewrite, type Visitor } from './syntax.ts';

/**
 * The module that exports `base`: the path that the site is at, such as `/` or `/d/<id>/`. Scripts are in `assets/`, so
 * that theirs tells it.
 */
export const BASE_MODULE = '\0base';

export const BASE_CODE = `export const base = new URL('../', import.meta.url).pathname;`;

/** The import of it for code that is rewritten. */
export const BASE_IMPORT = `import { base as __base } from ${JSON.stringify(BASE_MODULE)}`;

/** The module that exports `import.meta.env` as an object. */
export const ENV_MODULE = '\0env';

/** Reports if a variable is missing, for the first time in a build. */
function isNewlyMissing(name: string, { config, missing }: BuildContext): boolean {
  const isSet = config.variables.has(name) || config.define.has(`import.meta.env.${name}`);
  return name.startsWith('VITE_') && !isSet && isFirst(name, missing);
}

function isFirst(name: string, missing: Set<string>): boolean {
  const { size } = missing;
  return missing.add(name).size > size;
}

/** Returns the name in `process.env.NAME`, unless the build replaces it. */
function nameOfProcess(node: Node, { define }: BuildContext['config']): string | undefined {
  const object = node.type === 'MemberExpression' ? bare(node.object) : undefined;
  if (object?.type !== 'MemberExpression' || !isNamed(object.object, 'process') || propertyOf(object) !== 'env') return;
  const name = propertyOf(node);
  const isDefined = define.has(`process.env.${name}`) || define.get('process.env')?.includes(JSON.stringify(name));
  return name === 'NODE_ENV' || isDefined ? undefined : name;
}

/** The members of `import.meta.env` besides the variables and `BASE_URL`, which is a variable if the base is relative. */
const CONSTANTS = new Map<string, string | boolean>([
  ['MODE', 'production'],
  ['PROD', true],
  ['DEV', false],
  ['SSR', false],
]);

/** The code of `ENV_MODULE`. */
export function envCode({ config }: BuildContext): string {
  const entries = [...CONSTANTS, ...config.variables];
  const properties = entries.map(([name, value]) => `[${JSON.stringify(name)}]: ${JSON.stringify(value)}`);
  return `${BASE_IMPORT};\nexport const env = { BASE_URL: __base, ${properties.join(', ')} };`;
}

/** Replaces `import.meta.env.NAME` by its value, and `import.meta.env` by an object; warns of unset variables. */
export function rewriteEnv({ context, edits, addImport, warn }: Rewrite): Visitor {
  const { config, missing: named } = context;
  const missing = (node: Node, name: string) => {
    if (!isNewlyMissing(name, context)) return;
    warn(
      node,
      `${name} is not set, so that import.meta.env.${name} is undefined. Set it in "env" of the deploy or in .env`,
    );
  };
  return (node, parent) => {
    const isMember = node.type === 'MemberExpression' && isOfImportMeta(node.object, 'env');
    const name = isMember ? propertyOf(node) : undefined;
    if (name !== undefined) {
      if (config.define.has(`import.meta.env.${name}`)) return true;
      missing(node, name);
      if (name === 'BASE_URL') addImport(BASE_IMPORT);
      edits.update(node.start, node.end, expressionOf(name, config.variables));
      return true;
    }
    const ofProcess = nameOfProcess(node, config);
    if (ofProcess !== undefined && isFirst(`process.env.${ofProcess}`, named))
      warn(
        node,
        `process.env.${ofProcess} is undefined, since browsers have no process: set a variable that begins with VITE_, and use import.meta.env`,
      );
    if (!isOfImportMeta(node, 'env')) return false;
    for (const destructured of namesOf(parent)) missing(destructured.node, destructured.name);
    addImport(`import { env as __env } from ${JSON.stringify(ENV_MODULE)}`);
    edits.update(node.start, node.end, '__env');
    return true;
  };
}

function expressionOf(name: string, values: ReadonlyMap<string, string>): string {
  const value = CONSTANTS.get(name) ?? values.get(name);
  if (name === 'BASE_URL' && value === undefined) return '__base';
  return value === undefined ? '(void 0)' : JSON.stringify(value);
}

/** The names in `const { VITE_A } = import.meta.env`. */
function namesOf(parent: Node | undefined): { node: Node; name: string }[] {
  const pattern = parent?.type === 'VariableDeclarator' ? (parent.id as Node) : undefined;
  if (pattern?.type !== 'ObjectPattern') return [];
  return (pattern.properties as Node[]).flatMap((node) => {
    const name = node.type === 'Property' && !node.computed ? (node.key as Node).name : undefined;
    return typeof name === 'string' ? [{ node, name }] : [];
  });
}

/** Returns HTML with `%VITE_X%`, `%MODE%` and `%BASE_URL%` replaced; warns of unset variables. */
export function htmlWithEnv(html: string, path: string, context: BuildContext): string {
  return html.replace(/%([A-Z_][A-Za-z0-9_]{0,100})%/g, (text, name: string, offset: number) => {
    const value = name === 'BASE_URL' ? '/' : (CONSTANTS.get(name) ?? context.config.variables.get(name));
    if (value !== undefined) return String(value);
    if (isNewlyMissing(name, context)) {
      context.warn({
        message: `${name} is not set. Set it in "env" of the deploy or in .env`,
        ...placeOf(path, html, offset),
      });
    }
    return text;
  });
}
