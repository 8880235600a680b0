import { posix } from 'node:path';
import MagicString from 'magic-string';
import type { BuildProblem } from '../../contract/builds.ts';
import type { BuildContext, StyleContext } from '../context.ts';
import { textOf as projectText } from '../files.ts';
import { decode } from '../own-code/public-urls.ts';
import { packageName } from '../packages/manifest.ts';
import { placeOf } from '../problems.ts';
import { type QuotedText, scanStyles } from './scan.ts';
import { isShipped } from './shipped.ts';

/** The files that style sheets can refer to. */
export type StyleFiles = Pick<StyleContext, 'project' | 'packages' | 'resolver'>;

/** Reports if a URL is of another origin, in the URL itself (`data:`), or of the same document. */
export function isExternal(url: string): boolean {
  return url === '' || /^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url);
}

/**
 * Returns the path of the file that a reference of a style sheet means; undefined if there is none.
 * @param use `style` for an import, which may leave out `.css`
 */
export function resolveReference(
  reference: string,
  from: string,
  { packages, resolver }: StyleFiles,
  use: 'style' | 'url',
): string | undefined {
  const isInPackage = from.startsWith('node_modules/') && !reference.startsWith('/');
  const found = isInPackage ? ({ is: 'package', specifier: reference } as const) : resolver.find(reference, from, use);
  if (found.is === 'file') return found.id;
  return found.is === 'package' ? packages.resolve(found.specifier, from, 'style') || undefined : undefined;
}

function isFile(path: string, { project, packages }: StyleFiles): boolean {
  return path.startsWith('node_modules/') ? packages.files.has(path) : project.has(path);
}

/** Returns the text of a file of the project or of a package. */
export function textOf(path: string, { project, packages }: StyleFiles): string {
  const bytes = path.startsWith('node_modules/') ? packages.files.get(path) : project.get(path);
  return new TextDecoder().decode(bytes);
}

/** Marks a path of the project or of a package until the style sheet is complete. */
const SCHEME = 'asset:';

/** Missing files that one style sheet gets warnings for. */
const MAX_WARNINGS = 20;

/** Makes references to files independent of the file that they are in. Missing files are warnings. */
export function absoluteUrls(
  css: MagicString,
  urls: readonly QuotedText[],
  path: string,
  files: StyleFiles,
  warn: (warning: BuildProblem) => void,
): void {
  const missing = new Set<string>();
  for (const url of urls) {
    if (isExternal(url.value)) continue;
    const { file, rest } = splitUrl(url.value);
    const found = resolveReference(file, path, files, 'url');
    if (found !== undefined) replaceUrl(css, url, `${SCHEME}${encodeURI(found)}${rest}`);
    else if (!missing.has(url.value) && missing.size < MAX_WARNINGS) {
      missing.add(url.value);
      warn({ message: `${url.value} is in no file`, ...placeOf(path, css.original, url.start) });
    }
  }
}

/**
 * Returns a style sheet in which references to files are the URLs under which they are published. Relative ones without
 * a mark come from class names of Tailwind, such as `bg-[url(/a.png)]`.
 */
export function publishedUrls(css: string, path: string, context: StyleContext): string {
  const edits = new MagicString(css);
  for (const url of scanStyles(path, css).urls) {
    const marked = url.value.startsWith(SCHEME);
    if (!marked && isExternal(url.value)) continue;
    const { file, rest } = splitUrl(marked ? url.value.slice(SCHEME.length) : url.value);
    const found = marked ? file : resolveReference(file, path, context, 'url');
    if (found !== undefined && isFile(found, context)) replaceUrl(edits, url, publishedUrl(found, context) + rest);
  }
  return edits.toString();
}

function publishedUrl(path: string, { assets, asset }: StyleContext): string {
  if (!path.startsWith('public/')) return assets + asset(path);
  return posix.join(assets, '..', encodeURI(path.slice('public/'.length)));
}

function replaceUrl(css: MagicString, { start, end }: QuotedText, value: string): void {
  css.update(start, end, `url("${value.replace(/["\\\n]/g, (character) => `\\${character}`)}")`);
}

/** Splits `font.eot?#iefix` in the decoded path and the rest. */
function splitUrl(url: string): { readonly file: string; readonly rest: string } {
  const at = url.search(/[?#]/);
  const file = at < 0 ? url : url.slice(0, at);
  const rest = at < 0 ? '' : url.slice(at);
  return { file: decode(file), rest };
}

/**
 * Returns the names of the packages that style sheets of a project refer to, such as `@fontsource/inter`, without those
 * of the service. A URL counts only if package.json declares its package: it may be of a missing file.
 * @throws BuildError for brackets, texts and comments that are not closed
 */
export function packagesOfStyles({
  project,
  config,
  resolver,
  sheets,
}: Pick<BuildContext, 'project' | 'config' | 'resolver' | 'sheets'>): Set<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...sheets.values()];
  for (const { path, css } of waiting) {
    const { rules, urls } = scanStyles(path, css);
    const imports = rules.filter(({ name }) => name === 'import' || name === 'reference');
    const references = [
      ...imports.map(({ text }) => ({ reference: text?.value ?? '', use: 'style' as const })),
      ...urls.map(({ value }) => ({ reference: value, use: 'url' as const })),
    ];
    for (const { reference, use } of references.filter((each) => !isExternal(each.reference))) {
      const found = resolver.find(reference.replace(/[?#].*$/s, ''), path, use);
      if (found.is === 'file' && use === 'style' && !seen.has(found.id)) {
        seen.add(found.id);
        waiting.push({ path: found.id, css: projectText(project, found.id) ?? '' });
      }
      const name = found.is === 'package' ? packageName(found.specifier) : '';
      if (name !== '' && !isShipped(name) && (use === 'style' || config.dependencies.has(name))) names.add(name);
    }
  }
  return names;
}
