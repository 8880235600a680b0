import { type ImportSpecifier, parse } from 'es-module-lexer/js';
import { mayBeHashedName } from '../hashed-name.ts';
import { byPath, entryOf, isHtml } from '../paths.ts';
import { type PageTag, pageTags, pathOf, scriptType, scriptUrl } from './page-tags.ts';
import { atRoot, projectRoot, sourceText } from './root.ts';

/** How a deploy handles files. */
export type ProjectKind =
  /** They are published as they are. */
  | { readonly kind: 'site' }
  /**
   * They are built first, from their `root` folder (`client/`, or empty): `pages` are the HTML files that load source, or
   * `component` is the path of a lone component, both from the root.
   */
  | {
      readonly kind: 'source';
      readonly root: string;
      readonly pages: readonly string[];
      readonly component?: string;
    }
  /** They cannot be built here; `reason` says why and what to do. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Sources that browsers do not run. */
const SOURCE = /\.(?:jsx|tsx|ts|mts|vue|svelte)$/i;
const SCRIPT = /\.m?js$/i;
/** Files that only a bundler lets a script import; browsers import nothing but scripts, and JSON with an attribute. */
const NOT_A_SCRIPT = /\.(?:css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|glsl|txt|md)$/i;
const OTHER_HOST = /^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i;
/** The properties of `import.meta` that Vite replaces, in uses that fail without it. */
const VITE_META = /^\s*\.\s*(?:env\s*[.[]|glob(?:Eager)?\b)/;
/** Scripts of one page whose imports are followed. */
const MAX_SCRIPTS = 500;

type Contents = ReadonlyMap<string, string | Uint8Array>;

/** Returns what a deploy does with these files: the start page decides. */
export function projectKind(project: Contents): ProjectKind {
  const root = projectRoot(project, entryOf(pagesOf(project)));
  const files = atRoot(project, root);
  const html = pagesOf(files);
  const entry = entryOf(html);
  // Paths of the project tell an export beside its package.json from a page that is a part of an application.
  const start = sourceText(files.get(entry) ?? '');
  const isExported = (root === '' && /^index\.html?$/i.test(entry)) || isFinished(root, entry, start, files);
  const refused = isExported ? undefined : refusedFramework(files);
  const reason = refused ?? refusedTemplate(sourceText(files.get(entry) ?? ''), files);
  if (reason !== undefined) return { kind: 'refused', reason };
  if (entry === '') {
    const component = entryOf([...files.keys()]) === '' ? lonePath(files) : undefined;
    return component === undefined ? { kind: 'site' } : { kind: 'source', root, pages: [], component };
  }
  if (!loadsSource(entry, files)) {
    const unbuilt = classicSource(entry, files);
    return unbuilt === undefined ? { kind: 'site' } : { kind: 'refused', reason: unbuilt };
  }
  const compiled = COMPILED.find((name) => dependencyNames(sourceText(files.get('package.json') ?? '')).includes(name));
  if (compiled !== undefined) return { kind: 'refused', reason: refusalOf(compiled, 'dist') };
  const pages = html
    .filter((path) => path === entry || (project.has(root + path) && loadsSource(path, files)))
    .toSorted();
  return { kind: 'source', root, pages };
}

/** Folders that tools write pages to, and that hold pages written by hand. */
const FINISHED = /^(?:build|dist|docs|out|site|_site|\.vitepress\/dist)\//;

/** Reports if a page is finished: its folder is that of an output, or the scripts that it loads are there. */
function isFinished(root: string, entry: string, page: string, files: Contents): boolean {
  if (entry === '' || WEBPACK_TEMPLATE.test(page) || loadsSource(entry, files)) return false;
  const loadsOwn = pageTags(page).some((tag) => {
    const src = scriptUrl(tag);
    return src !== undefined && !OTHER_HOST.test(src) && files.has(pathOf(src, entry));
  });
  return loadsOwn || FINISHED.test(root + entry);
}

function pagesOf(files: Contents): string[] {
  return [...files.keys()].filter((path) => isHtml(path) && !isPublic(path));
}

/** Vite publishes the files of this folder as they are. */
function isPublic(path: string): boolean {
  return path.startsWith('public/') || path.includes('/public/') || path.includes('node_modules/');
}

function loadsSource(page: string, files: Contents): boolean {
  const tags = pageTags(sourceText(files.get(page)));
  if (tags.some((tag) => scriptType(tag) === 'importmap'))
    return tags.some((tag) => SOURCE.test(modulePath(tag, page) ?? ''));
  const isOfVite = isViteProject(files);
  return tags.some((tag) => {
    const path = modulePath(tag, page);
    if (path === undefined) return scriptType(tag) === 'module' && isSource(tag.text, page, files);
    // The output of a build may lie beside its package.json.
    const isUnbuilt = isOfVite && files.has(path) && !mayBeHashedName(path) && !tag.attributes.has('crossorigin');
    return SOURCE.test(path) || isUnbuilt || importsSource(path, files);
  });
}

/** Returns why a page is blank: browsers run no source, and without `type="module"` it is not built. */
function classicSource(page: string, files: Contents): string | undefined {
  for (const tag of pageTags(sourceText(files.get(page)))) {
    const src = scriptUrl(tag);
    if (src === undefined || tag.attributes.has('type') || OTHER_HOST.test(src)) continue;
    const path = pathOf(src, page);
    if (SOURCE.test(path) && files.has(path))
      return `${page} loads ${path}, which browsers do not run. Add type="module" to its script tag, and it is built`;
  }
  return undefined;
}

/** Reports if Vite builds a project: its configuration may say what no script does, such as `define`. */
function isViteProject(files: Contents): boolean {
  const manifest = files.get('package.json');
  const isConfigured = [...files.keys()].some((path) => /^vite\.config\.[cm]?[jt]s$/.test(path));
  return isConfigured || (manifest !== undefined && dependencyNames(sourceText(manifest)).includes('vite'));
}

/** Returns the path of a module script in the project, or undefined for other tags and hosts. */
function modulePath(tag: PageTag, page: string): string | undefined {
  const source = scriptType(tag) === 'module' ? scriptUrl(tag) : undefined;
  return source === undefined || OTHER_HOST.test(source) ? undefined : pathOf(source, page);
}

/** A script of a project. */
interface Script {
  /** Whether it has what only a bundler understands. */
  readonly isSource: boolean;
  /** The paths of the files that it imports. */
  readonly imports: ReadonlySet<string>;
}

/** Cached facts about a project's files: pages repeat tags of scripts, and scripts repeat imports. */
interface Known {
  readonly scripts: Map<string, Script>;
  /** Whether an entry reaches source. */
  readonly entries: Map<string, boolean>;
}

const known = new WeakMap<Contents, Known>();

function knownOf(files: Contents): Known {
  const found = known.get(files) ?? { scripts: new Map(), entries: new Map() };
  known.set(files, found);
  return found;
}

/** Reports if a script, or one that it imports, has something that browsers cannot load. */
function importsSource(entry: string, files: Contents): boolean {
  const { entries } = knownOf(files);
  const result = entries.get(entry) ?? reachesSource(entry, files);
  entries.set(entry, result);
  return result;
}

function reachesSource(entry: string, files: Contents): boolean {
  const reached = new Set([entry]);
  for (const path of reached) {
    const content = SCRIPT.test(path) && reached.size <= MAX_SCRIPTS ? files.get(path) : undefined;
    if (content === undefined) continue;
    const script = readScript(path, content, files);
    if (script.isSource) return true;
    for (const imported of script.imports) reached.add(imported);
  }
  return false;
}

/** Reads a script, once. */
function readScript(path: string, content: string | Uint8Array, files: Contents): Script {
  const { scripts } = knownOf(files);
  const before = scripts.get(path);
  if (before) return before;
  const text = sourceText(content);
  const imported = importsOf(text).flatMap(({ n: specifier }) =>
    specifier === undefined || OTHER_HOST.test(specifier) ? [] : pathOf(specifier, path),
  );
  const script = {
    isSource: isSource(text, path, files),
    imports: new Set(imported.filter((each) => files.has(each))),
  };
  scripts.set(path, script);
  return script;
}

/** Reports if a script has what only a bundler understands. */
function isSource(script: string, from: string, files: Contents): boolean {
  return importsOf(script).some((found) =>
    found.d === IMPORT_META ? VITE_META.test(script.slice(found.e)) : needsBuild(found, from, files),
  );
}

/** The kind of `import.meta` among the imports of the lexer. */
const IMPORT_META = -2;

function needsBuild({ n: specifier, a: attributes }: ImportSpecifier, from: string, files: Contents): boolean {
  if (specifier === undefined || OTHER_HOST.test(specifier)) return false;
  if (!/^\.{0,2}\//.test(specifier)) return true;
  const path = pathOf(specifier, from);
  if (SOURCE.test(path) || NOT_A_SCRIPT.test(path)) return true;
  if (/\.json$/i.test(path)) return attributes === -1;
  return !files.has(path) && (files.has(`${path}.ts`) || files.has(`${path}.tsx`));
}

/** Returns the imports of a script; none if it has a syntax error, since it then runs nowhere. */
function importsOf(script: string): readonly ImportSpecifier[] {
  try {
    return parse(script)[0];
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
  ['react-scripts', 'build'],
  ['@vue/cli-service', 'dist'],
  ['webpack', 'dist'],
  ['@11ty/eleventy', '_site'],
  ['vitepress', '.vitepress/dist'],
  ['@docusaurus/core', 'build'],
  ['@solidjs/start', '.output/public'],
  ['@analogjs/platform', 'dist/analog/public'],
  ['@rsbuild/core', 'dist'],
  ['expo', 'dist'],
  ['vike', 'dist/client'],
]);

/** Frameworks of pages that Vite builds, whose components need a compiler that is not here. */
const COMPILED = ['@builder.io/qwik', '@qwik.dev/core', '@stencil/core', 'marko'];

/** Tools that a script of package.json may run without a dependency on them. */
const BUILD_COMMAND = /(?<![\w./-])(?:npx )?(webpack|react-scripts|vue-cli-service|eleventy|next|nuxt|astro|gatsby) /;

/**
 * Returns why a project cannot be built here, or undefined if its package.json names none of these frameworks.
 * @param files by path
 */
function refusedFramework(files: ReadonlyMap<string, string | Uint8Array>): string | undefined {
  const manifest = files.get('package.json');
  const json = manifest === undefined ? '' : sourceText(manifest);
  const names = dependencyNames(json);
  // Of a project that Vite builds, webpack serves something else.
  const isOfVite = names.includes('vite');
  const name =
    names.find((each) => FRAMEWORKS.has(each) && !(each === 'webpack' && isOfVite)) ??
    (isOfVite ? undefined : toolOfScript(json));
  return name === undefined ? undefined : refusalOf(name, FRAMEWORKS.get(name));
}

function refusalOf(name: string, output = 'often dist, build or public'): string {
  return `This project uses ${name}, which renders on a server or needs its own build. Run its static export and deploy the output folder (${output})`;
}

/** Returns the tool that the build script of a package.json runs, if it is one that this service does not stand in for. */
function toolOfScript(json: string): string | undefined {
  try {
    const build: unknown = JSON.parse(json).scripts?.build;
    return typeof build === 'string' ? BUILD_COMMAND.exec(`${build} `)?.[1] : undefined;
  } catch {
    return undefined;
  }
}

/** The front matter of a page that a generator of static sites reads: lines of YAML between two lines of dashes. */
const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n(?:[\w-]+:.*\r?\n|[ \t#].*\r?\n|\r?\n){0,200}---[ \t]*\r?\n/;
const WEBPACK_TEMPLATE = /<%=?\s*htmlWebpackPlugin\b/;

/** Returns why a page cannot be published: it is a template, which a tool makes the page of. */
function refusedTemplate(page: string, files: Contents): string | undefined {
  if (WEBPACK_TEMPLATE.test(page)) return refusalOf('html-webpack-plugin', 'dist');
  if (!FRONT_MATTER.test(page)) return undefined;
  if (files.has('_config.yml')) return refusalOf('Jekyll', '_site');
  return refusedFramework(files) ?? refusalOf('a generator of static sites');
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
function lonePath(files: ReadonlyMap<string, string | Uint8Array>): string | undefined {
  const components = [...files.keys()].filter((path) => COMPONENT.test(path)).toSorted(byPath);
  const named = NAMES.flatMap((name) =>
    components.filter((path) => path.replace(COMPONENT, '').toLowerCase() === name.toLowerCase()),
  );
  const candidates = components.length === 1 ? components : named;
  return candidates.find((path) => DEFAULT_EXPORT.test(sourceText(files.get(path))));
}
