import MagicString from 'magic-string';
import { charsetOf, losslessText } from '../sites/charset.ts';
import { isHtml } from '../sites/paths.ts';
import { urlsInAttribute } from '../sites/references/html.ts';
import { type PageTag, pageTags, pathOf, scriptType, scriptUrl } from '../sites/source/page-tags.ts';
import type { BuildContext } from './context.ts';
import { htmlWithEnv } from './own-code/env.ts';
import { placeOf } from './problems.ts';

/** A page of the project with its scripts. */
export interface Page {
  readonly path: string;
  /** The module that imports its scripts and style sheets. */
  readonly entry: { readonly name: string; readonly id: string };
  /** The code of that module and of inline scripts, by id. */
  readonly scripts: ReadonlyMap<string, string>;
  readonly source: Uint8Array;
  /** The ids of its inline styles that refer to files, or need a compiler, in order. */
  readonly styles: readonly string[];
  /** The paths of the pages that it links to. */
  readonly links: readonly string[];
}

/** The files in `assets/` that a built page loads, by name. */
interface Loaded {
  readonly script: string | undefined;
  readonly preloads: readonly string[];
  readonly styles: string | undefined;
  /** The inline styles as they are built, by id. */
  readonly inline: ReadonlyMap<string, string>;
}

/** Missing style sheets of one page that warnings name. */
const MOST_MISSING = 20;
const OTHER_HOST = /^(?:[a-z][a-z\d+.-]*:|[/\\]{2}|#|$)/i;

/** Reads which scripts and style sheets a page loads, and warns of style sheets that are missing. */
export function readPage(path: string, source: Uint8Array, context: BuildContext): Page {
  const { project, config, sheets, warn } = context;
  const scripts = new Map<string, string>();
  const imports: string[] = [];
  // As `builtPage` reads it: inline styles are found again by their place.
  const text = htmlWithEnv(textOfPage(source)?.text ?? '', path, context);
  const named = new Set<string>();
  const links = new Set<string>();
  const styles: string[] = [];
  for (const tag of pageTags(text)) {
    const link = linkedPage(tag, path);
    if (link !== undefined) links.add(link);
    const missing = missingSheet(tag, path, project);
    if (missing !== undefined && !named.has(missing) && named.size < MOST_MISSING)
      warn({ message: `There is no file ${config.root}${missing}`, ...placeOf(path, text, tag.start) });
    if (missing !== undefined) named.add(missing);
    const loaded = loadedFile(tag, path, project);
    if (loaded !== undefined) imports.push(`/${loaded}`);
    // In the place that it has in the page, for problems and source maps.
    const inPlace = text.slice(0, tag.textStart).replace(/[^\n]/g, ' ') + tag.text;
    if (isBuiltStyle(tag)) {
      sheets.set(styleId(path, tag), { path, css: inPlace });
      styles.push(styleId(path, tag));
    }
    if (!isInlineModule(tag)) continue;
    const id = `${path}?script=${scripts.size}`;
    scripts.set(id, inPlace);
    imports.push(id);
  }
  const id = `${path}?page`;
  scripts.set(id, imports.map((specifier) => `import ${JSON.stringify(specifier)};`).join('\n'));
  const name = path.replace(/\.html?$/i, '').replace(/[^\w-]/g, '-');
  return { path, entry: { name, id }, scripts, source, styles, links: [...links] };
}

/**
 * Returns a page that loads the built files instead of the source. Everything else stays byte for byte, except
 * references to files of the project, which become those of `assets/`, and `%VITE_NAME%`.
 */
export function builtPage({ path, source }: Page, loaded: Loaded, context: BuildContext): Uint8Array {
  const page = textOfPage(source);
  if (!page) return source;
  const text = htmlWithEnv(page.text, path, context);
  const html = new MagicString(text);
  const tags = pageTags(text);
  let script = scriptTag(loaded.script);
  for (const tag of tags) {
    if (isInlineModule(tag) || loadedFile(tag, path, context.project) !== undefined) {
      const isScript = tag.name === 'script';
      html.overwrite(tag.start, tag.end, isScript ? script : '');
      if (isScript) script = '';
    } else {
      const style = loaded.inline.get(styleId(path, tag));
      if (style !== undefined) html.overwrite(tag.textStart, tag.textStart + tag.text.length, style);
      rewriteAttributes(tag, path, context, html);
    }
  }
  const head = headTags(loaded) + script;
  const before = tags.find(({ name }) => name === '/head') ?? tags.find(({ name }) => name === 'script');
  if (head !== '') html.appendLeft(before?.start ?? text.length, head);
  return page.encode(html.toString());
}

function textOfPage(source: Uint8Array) {
  return losslessText(source, charsetOf(source, 'text/html'));
}

function isInlineModule(tag: PageTag): boolean {
  return scriptType(tag) === 'module' && !tag.attributes.has('src');
}

/** At-rules and functions in an inline style that only a build understands, or that lead to files. */
const BUILT_STYLE = /@(?:import|apply|tailwind|theme|utility|reference)\b|\b(?:url|image-set)\(/i;

/** Reports if a tag is an inline style that is built, as style sheets are. */
function isBuiltStyle({ name, attributes, text }: PageTag): boolean {
  const type = attributes.get('type')?.value.trim().toLowerCase() ?? '';
  return name === 'style' && (type === '' || type === 'text/css') && BUILT_STYLE.test(text);
}

const styleId = (path: string, { start }: PageTag) => `${path}?style=${start}`;

/**
 * Returns the path of the module or style sheet that a tag loads from the project; files of `public/` and references to
 * missing style sheets stay as they are.
 */
function loadedFile(tag: PageTag, page: string, project: BuildContext['project']): string | undefined {
  const path = loadedPath(tag, page);
  if (path === undefined || (project.has(`public/${path}`) && !project.has(path))) return undefined;
  return missingSheet(tag, page, project) === undefined ? path : undefined;
}

function linkedPage({ name, attributes }: PageTag, page: string): string | undefined {
  const url = name === 'a' ? attributes.get('href')?.value.trim() : undefined;
  const path = url === undefined || OTHER_HOST.test(url) ? undefined : pathOf(url, page);
  return path !== undefined && isHtml(path) ? path : undefined;
}

function loadedPath(tag: PageTag, page: string): string | undefined {
  const url = scriptType(tag) === 'module' ? scriptUrl(tag) : styleSheetUrl(tag);
  return url === undefined || OTHER_HOST.test(url) ? undefined : pathOf(url, page);
}

/** Returns the path of a style sheet that is in no file, as other references of a page may be; undefined otherwise. */
function missingSheet(tag: PageTag, page: string, project: BuildContext['project']): string | undefined {
  const path = scriptType(tag) === 'module' ? undefined : loadedPath(tag, page);
  if (path === undefined || /^(?:node_modules\/|@)/.test(path)) return undefined;
  return project.has(path) || project.has(`public/${path}`) ? undefined : path;
}

function styleSheetUrl({ name, attributes }: PageTag) {
  const relation = attributes.get('rel')?.value.trim().toLowerCase();
  return name === 'link' && relation === 'stylesheet' ? attributes.get('href')?.value.trim() : undefined;
}

function rewriteAttributes(tag: PageTag, page: string, context: BuildContext, html: MagicString): void {
  for (const [name, { value, start, end }] of tag.attributes) {
    const find = urlsInAttribute(tag.name, name, (other) => tag.attributes.get(other)?.value ?? '');
    let rewritten = value;
    for (const span of find?.(value).toReversed() ?? []) {
      const asset = assetOf(value.slice(span.start, span.end), page, context);
      if (asset !== undefined) rewritten = rewritten.slice(0, span.start) + asset + rewritten.slice(span.end);
    }
    if (rewritten !== value) html.overwrite(start, end, `${name}="${escaped(rewritten)}"`);
  }
}

/**
 * Returns the URL of the published file that a URL in a page refers to, if it is one of the project outside `public/`.
 */
function assetOf(url: string, page: string, { project, asset }: BuildContext): string | undefined {
  if (OTHER_HOST.test(url.trim())) return undefined;
  const path = pathOf(url.trim(), page);
  if (!project.has(path) || project.has(`public/${path}`) || /\.html?$/i.test(path)) return undefined;
  return `/assets/${asset(path)}${/[?#].*$/s.exec(url.trim())?.[0] ?? ''}`;
}

function scriptTag(name: string | undefined): string {
  return name === undefined ? '' : `<script type="module" crossorigin src="/assets/${name}"></script>`;
}

function headTags({ preloads, styles }: Loaded): string {
  const links = preloads.map((name) => `<link rel="modulepreload" crossorigin href="/assets/${name}">\n`);
  if (styles !== undefined) links.push(`<link rel="stylesheet" crossorigin href="/assets/${styles}">\n`);
  return links.join('');
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** Style sheets of a project without a page, in order of precedence. */
const GLOBAL_SHEETS = ['globals.css', 'global.css', 'index.css', 'styles.css', 'App.css'];
const FOLDERS = ['', 'app/', 'src/', 'src/app/', 'styles/', 'src/styles/'];
const CLASS_NAMES = /\bclassName\s{0,9}=/;

/** Returns a page that mounts the default export of a component. */
export function lonePage(component: string, context: BuildContext): Page {
  const { project, sheets } = context;
  const main = 'index.html?component';
  const page = readPage('index.html', Buffer.from(html(component)), context);
  const sheet = FOLDERS.flatMap((folder) => GLOBAL_SHEETS.map((name) => folder + name)).find((path) =>
    project.has(path),
  );
  const lines = [
    `import { createElement } from 'react';`,
    `import { createRoot } from 'react-dom/client';`,
    `import Component from ${JSON.stringify(`/${component}`)};`,
    `createRoot(document.getElementById('root')).render(createElement(Component));`,
  ];
  if (sheet !== undefined) {
    lines.unshift(`import ${JSON.stringify(`/${sheet}`)};`);
  } else if (usesClassNames(project)) {
    sheets.set(page.entry.id, { path: 'index.html', css: '@import "tailwindcss";' });
  }
  const scripts = new Map([
    [main, lines.join('\n')],
    [page.entry.id, `import ${JSON.stringify(main)};`],
  ]);
  return { ...page, scripts };
}

function usesClassNames(project: BuildContext['project']): boolean {
  return [...project].some(
    ([path, content]) => /\.[jt]sx$/.test(path) && CLASS_NAMES.test(Buffer.from(content).toString()),
  );
}

function html(component: string): string {
  const title = /([^/]+)\.\w+$/.exec(component)?.[1] ?? 'App';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>${title.replace(/[<>&]/g, '')}</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module"></script>
  </body>
</html>
`;
}
