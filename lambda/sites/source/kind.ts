import { parse } from 'es-module-lexer/js';
import { byPath, entryOf, isHtml } from '../paths.ts';
import { type PageTag, pageTags, pathOf } from './page-tags.ts';

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

/** Frameworks that render on a server or have a build of their own, by a package that each project of theirs depends on. */
const FRAMEWORKS: ReadonlyMap<string, string> = new Map([
  ['next', 'out'],
  ['@tanstack/react-start', 'dist/client'],
  ['@tanstack/solid-start', 'dist/client'],
  ['@tanstack/start', 'dist/client'],
  ['nuxt', '.output/public'],
  ['@sveltejs/kit', 'build'],
  ['astro', 'dist'],
  ['@remix-run/react', 'build/client'],
  ['@react-router/dev', 'build/client'],
  ['@angular/core', 'dist'],
  ['gatsby', 'public'],
  ['@builder.io/qwik-city', 'dist'],
]);

/**
 * Returns why a project cannot be built here, or undefined if its package.json names none of these frameworks.
 * @param files by path
 */
export function refusedFramework(files: ReadonlyMap<string, string | Uint8Array>): string | undefined {
  const manifest = files.get('package.json');
  const names = manifest === undefined ? [] : dependencyNames(sourceText(manifest));
  const name = names.find((dependency) => FRAMEWORKS.has(dependency));
  return name === undefined
    ? undefined
    : `This project uses ${name}, which renders on a server or needs its own build. Run its static export and deploy the output folder (${FRAMEWORKS.get(name)})`;
}

/** Returns the names of the packages that a package.json depends on; none if it is not valid. */
export function dependencyNames(json: string): string[] {
  try {
    const { dependencies, devDependencies } = JSON.parse(json);
    return [dependencies, devDependencies].flatMap((names) => Object.keys(Object(names)));
  } catch {
    return [];
  }
}

/** Where a project without a page has the component that is its page, in order of precedence. */
const NAMES = ['App', 'page', 'app/page', 'index', 'src/App', 'src/page', 'src/app/page', 'src/index'];
const COMPONENT = /\.[jt]sx$/;
const DEFAULT_EXPORT = /\bexport\s{1,9}default\b|\bexport\s{0,9}\{[^}]{0,2000}\bdefault\b/;

/** Returns the path of the component whose default export is the page of a project without HTML, or undefined. */
export function lonePath(files: ReadonlyMap<string, string | Uint8Array>): string | undefined {
  const components = [...files.keys()].filter((path) => COMPONENT.test(path)).toSorted(byPath);
  const named = NAMES.flatMap((name) =>
    components.filter((path) => path.replace(COMPONENT, '').toLowerCase() === name.toLowerCase()),
  );
  const candidates = components.length === 1 ? components : named;
  return candidates.find((path) => DEFAULT_EXPORT.test(sourceText(files.get(path))));
}

/** Returns the text of a source, which is UTF-8 as for every build tool. Also runs in browsers, which have no `Buffer`. */
export function sourceText(content: string | Uint8Array | undefined): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
