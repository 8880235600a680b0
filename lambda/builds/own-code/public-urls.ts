import type { BuildContext, Language } from '../context.ts';
import { type Files, textOf } from '../files.ts';
import { globMatcher } from '../glob-pattern.ts';
import { valueIn } from '../json.ts';
import { BASE_IMPORT } from './env.ts';
import { cookedOf, isNamed, type Node, type Rewrite, type Visitor } from './syntax.ts';

/** The files of `public/`, as root-absolute URLs. */
interface PublicFiles {
  readonly urls: ReadonlySet<string>;
  /** The beginnings of their URLs, such as `/images/` and `/logo.png`. */
  readonly starts: readonly string[];
}

const known = new WeakMap<Files, PublicFiles>();

function publicFiles(project: Files): PublicFiles {
  const found = known.get(project);
  if (found) return found;
  const urls = [...project.keys()].filter((path) => path.startsWith('public/')).map((path) => path.slice(6));
  const starts = urls.map((url) => (url.includes('/', 1) ? url.slice(0, url.indexOf('/', 1) + 1) : url));
  const files = { urls: new Set(urls), starts: [...new Set([...starts, ...starts.map(encodeURI)])] };
  known.set(project, files);
  return files;
}

/** Reports if a URL such as `/logo.png?v=2` or `/icons.svg#a` means a file of `public/`. */
export function isPublicUrl(url: string, project: Files): boolean {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const { urls } = publicFiles(project);
  return urls.has(path) || urls.has(decode(path));
}

/** Returns a decoded path, or the path itself if it is not encoded correctly. */
export function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Reports if code may name files of `public/`: a quick check. */
export const hasPublicFile = (code: string, project: Files): boolean =>
  publicFiles(project).starts.some((start) => code.includes(start));

/** Puts the base before URLs of files of `public/`, in strings, templates and attributes of JSX. */
export function rewritePublicStrings({ context, code, edits, addImport }: Rewrite): Visitor {
  const { project } = context;
  return (node, parent, key) => {
    if (!isValue(node, parent, key)) return false;
    if (node.type === 'TemplateLiteral') {
      for (const slash of slashesOfTemplate(node, code, project)) {
        edits.update(slash, slash + 1, '$' + '{__base}');
        addImport(BASE_IMPORT);
      }
      return false;
    }
    const text = node.value as string;
    const slashes = slashesOf(text, project);
    if (slashes.length === 0) return false;
    const expression = withBase(text, slashes);
    edits.update(node.start, node.end, parent?.type === 'JSXAttribute' ? `{${expression}}` : expression);
    addImport(BASE_IMPORT);
    return true;
  };
}

/**
 * Reports if a node is a string or template whose value can be a URL. Keys stay as they are, and so do the lookups of
 * them.
 */
function isValue(node: Node, parent: Node | undefined, key: string): boolean {
  if (node.type === 'TemplateLiteral') return parent?.type !== 'TaggedTemplateExpression' || isMarkup(parent);
  if (node.type !== 'Literal' || typeof node.value !== 'string' || !parent) return false;
  if (parent.type === 'ExpressionStatement') return false;
  if (parent.type === 'BinaryExpression' && parent.operator === '+' && key === 'right') return false;
  const isKey = key === 'key' || (key === 'property' && parent.type === 'MemberExpression');
  const isSpecifier = key === 'source' || key === 'imported' || key === 'exported' || key === 'id';
  return !isKey && !isSpecifier;
}

/** Reports if a template is HTML, such as Lit's, or of styled-components, which take strings. Lit's `css` does not. */
function isMarkup({ tag }: Node): boolean {
  let root = tag as Node;
  if (root.type === 'Identifier')
    return root.name === 'html' || root.name === 'svg' || root.name === 'createGlobalStyle';
  if (root.type === 'MemberExpression') root = root.object as Node;
  if (root.type === 'CallExpression') root = root.callee as Node;
  return isNamed(root, 'styled');
}

/** `url(/bg.png)` of CSS, but not in the class names of Tailwind, and `src="/logo.png"` of HTML. */
const URL_IN_TEXT = /(?:(?<![^\s,:;])url\(\s{0,9}|\s(?:src|href|poster|data)=)["']?(\/[^\s"')>]{1,1000})/g;

/**
 * Returns the offsets of root-absolute URLs of files of `public/`: the whole text is one, or it is CSS or HTML that has
 * some.
 */
function slashesOf(text: string, project: Files): number[] {
  if (text.startsWith('/')) return isPublicUrl(text, project) ? [0] : [];
  return [...text.matchAll(URL_IN_TEXT)]
    .filter(([, url]) => url !== undefined && isPublicUrl(url, project))
    .map(({ index, 0: match, 1: url = '' }) => index + match.length - url.length);
}

function withBase(text: string, slashes: readonly number[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const slash of slashes) {
    if (slash > from) parts.push(JSON.stringify(text.slice(from, slash)));
    parts.push('__base');
    from = slash + 1;
  }
  return `(${[...parts, JSON.stringify(text.slice(from))].join(' + ')})`;
}

/** Like `slashesOf`, with offsets in the code. A template such as `/images/${name}.png` means the files that match it. */
function slashesOfTemplate(node: Node, code: string, project: Files): number[] {
  const quasis = node.quasis as Node[];
  return quasis.flatMap((quasi, index) => {
    const text = cookedOf(quasi);
    const start = code.startsWith(text, quasi.start) ? quasi.start : quasi.start + 1;
    if (!code.startsWith(text, start)) return [];
    if (index === 0 && quasis.length > 1 && text.startsWith('/')) return namesFiles(quasis, project) ? [start] : [];
    if (index > 0 && text.startsWith('/')) return [];
    return slashesOf(text, project).map((slash) => start + slash);
  });
}

/**
 * Reports if a template such as `/images/${name}.png` matches a file of `public/`. It must end in an extension: others
 * may be routes.
 */
function namesFiles(quasis: readonly Node[], project: Files): boolean {
  const pattern = quasis.map(cookedOf).join('*');
  if (pattern.length > 200 || !/\.\w{1,10}$/.test(pattern)) return false;
  const matches = globMatcher(pattern.slice(1).replaceAll(/[[\]{}\\]/g, '?'));
  return [...publicFiles(project).urls].some((url) => matches(url.slice(1)));
}

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
  // The bundler reports invalid JSON.
  const value = valueIn(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const exported = names.filter((name) => /^[a-z_$][\w$]*$/i.test(name) && name !== 'default' && name !== '__proto__');
  const members = exported.map((name, index) => `const _${index} = json.${name};\nexport { _${index} as ${name} };`);
  return `const json = ${JSON.stringify(value)};\nexport default json;\n${members.join('\n')}`;
}
