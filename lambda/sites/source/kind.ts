import { parse } from 'es-module-lexer/js';
import { entryOf, isHtml } from '../entry.ts';
import { refusedFramework } from './frameworks.ts';
import { lonePath } from './lone-component.ts';
import { pathOf } from './page-path.ts';
import { type PageTag, pageTags } from './page-tags.ts';
import { sourceText } from './source-text.ts';

/** What a deploy does with files. */
export type ProjectKind =
  /** They are published as they are. */
  | { readonly kind: 'site' }
  /** They are built first: `pages` are the HTML files that load source, or `component` is the path of a lone component. */
  | { readonly kind: 'source'; readonly pages: readonly string[]; readonly component?: string }
  /** They cannot be built here; `reason` says why and what to do. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Sources that browsers do not run. */
const SOURCE = /\.(?:jsx|tsx|ts|mts|vue|svelte)$/i;
const SCRIPT = /\.m?js$/i;
/** What only a bundler lets a script import; browsers import nothing but scripts, and JSON with an attribute. */
const NOT_A_SCRIPT = /\.(?:css|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|glsl|txt|md)$/i;
const OTHER_HOST = /^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i;
/** Scripts of one page whose imports are followed. */
const MAX_SCRIPTS = 500;

type Contents = ReadonlyMap<string, string | Uint8Array>;

/** Returns what a deploy does with these files: the start page decides. */
export function projectKind(files: Contents): ProjectKind {
  const html = [...files.keys()].filter((path) => isHtml(path) && !isPublic(path));
  const entry = entryOf(html);
  const refused = refusedFramework(files);
  if (refused !== undefined && !/^index\.html?$/i.test(entry)) return { kind: 'refused', reason: refused };
  if (entry === '') {
    const component = entryOf([...files.keys()]) === '' ? lonePath(files) : undefined;
    return component === undefined ? { kind: 'site' } : { kind: 'source', pages: [], component };
  }
  if (!loadsSource(entry, files)) return { kind: 'site' };
  return {
    kind: 'source',
    pages: html.filter((path) => path === entry || loadsSource(path, files)).toSorted(),
  };
}

/** Vite publishes the files of this folder as they are. */
function isPublic(path: string): boolean {
  return path.startsWith('public/') || path.includes('/public/') || path.includes('node_modules/');
}

function loadsSource(page: string, files: Contents): boolean {
  const tags = pageTags(sourceText(files.get(page)));
  if (tags.some(isImportMap)) return tags.some((tag) => SOURCE.test(modulePath(tag, page) ?? ''));
  return tags.some((tag) => {
    const path = modulePath(tag, page);
    if (path !== undefined) return SOURCE.test(path) || importsSource(path, files);
    return isModule(tag) && importsOf(tag.text).some((specifier) => needsBuild(specifier, page, files));
  });
}

function isModule(tag: PageTag): boolean {
  return tag.name === 'script' && tag.attributes.get('type')?.value.trim().toLowerCase() === 'module';
}

function isImportMap(tag: PageTag): boolean {
  return tag.name === 'script' && tag.attributes.get('type')?.value.trim().toLowerCase() === 'importmap';
}

/** Returns the path of a module script in the project, or undefined for other tags and hosts. */
function modulePath(tag: PageTag, page: string): string | undefined {
  const source = isModule(tag) ? tag.attributes.get('src')?.value.trim() : undefined;
  return source === undefined || OTHER_HOST.test(source) ? undefined : pathOf(source, page);
}

/** Reports if a script, or one that it imports, imports something that browsers cannot load. */
function importsSource(entry: string, files: Contents): boolean {
  const reached = new Set([entry]);
  for (const path of reached) {
    const content = SCRIPT.test(path) && reached.size <= MAX_SCRIPTS ? files.get(path) : undefined;
    if (content === undefined) continue;
    for (const specifier of importsOf(sourceText(content))) {
      if (needsBuild(specifier, path, files)) return true;
      if (!OTHER_HOST.test(specifier)) reached.add(pathOf(specifier, path));
    }
  }
  return false;
}

function needsBuild(specifier: string, from: string, files: Contents): boolean {
  if (OTHER_HOST.test(specifier)) return false;
  if (!/^\.{0,2}\//.test(specifier)) return true;
  const path = pathOf(specifier, from);
  return SOURCE.test(path) || NOT_A_SCRIPT.test(path) || (!files.has(path) && files.has(`${path}.ts`));
}

/** Returns the specifiers of a script; none if it has a syntax error, since it then runs nowhere. */
function importsOf(script: string): string[] {
  try {
    return parse(script)[0].flatMap(({ n }) => n ?? []);
  } catch {
    return [];
  }
}
