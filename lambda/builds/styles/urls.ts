import { posix } from 'node:path';
import type { BuildProblem } from '../../contract/builds.ts';
import { aliasTargets, type ProjectConfig } from '../config/settings.ts';
import type { Sheet, StyleContext } from '../context.ts';
import type { Files } from '../files.ts';
import type { PackageTree } from '../packages/resolver.ts';
import { placeOf } from '../problems.ts';
import { type QuotedText, type Span, scanStyles } from './scan.ts';
import { isShipped } from './shipped.ts';

/** The files that style sheets can refer to. */
export interface StyleFiles {
  readonly project: Files;
  readonly packages: PackageTree;
  readonly config: ProjectConfig;
}

/** Reports if a URL is of another origin, in the URL itself (`data:`), or of the same document. */
export function isExternal(url: string): boolean {
  return url === '' || /^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url);
}

/**
 * Returns the path of the file that a reference of a style sheet means; undefined if there is none.
 * @param endings to try behind the reference
 */
export function resolveReference(
  reference: string,
  from: string,
  files: StyleFiles,
  endings: readonly string[],
): string | undefined {
  const { packages, config } = files;
  const isInPackage = from.startsWith('node_modules/');
  const found = (path: string) => endings.map((ending) => path + ending).find((each) => isFile(each, files));
  if (reference.startsWith('/')) return found(`public${reference}`) ?? found(reference.slice(1));
  const near = found(posix.join(posix.dirname(from), reference));
  if (near !== undefined || reference.startsWith('.')) return near;
  const targets = isInPackage ? [] : aliasTargets(reference, config.aliases);
  for (const target of targets) {
    const path = target.startsWith('/') ? found(target.slice(1)) : packageFile(target, from, packages);
    if (path !== undefined) return path;
  }
  return packageFile(reference, from, packages);
}

function packageFile(specifier: string, from: string, packages: PackageTree): string | undefined {
  return packages.resolve(specifier, from, 'style') || undefined;
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

/** A part of a style sheet and the text that replaces it. */
interface Edit extends Span {
  readonly text: string;
}

/** Returns a text with its edits, which do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/**
 * Returns the edits that make references to files independent of the file that they are in. Missing files are warnings.
 */
export function absoluteUrls(
  css: string,
  urls: readonly QuotedText[],
  path: string,
  files: StyleFiles,
  warn: (warning: BuildProblem) => void,
): Edit[] {
  const missing = new Set<string>();
  return urls.flatMap((url) => {
    const { file, rest } = splitUrl(url.value);
    if (isExternal(url.value)) return [];
    const found = resolveReference(file, path, files, ['']);
    if (found === undefined) {
      if (!missing.has(url.value) && missing.size < MAX_WARNINGS) {
        missing.add(url.value);
        warn({ message: `${url.value} is in no file`, ...placeOf(path, css, url.start) });
      }
      return [];
    }
    return [edit(url, `${SCHEME}${encodeURI(found)}${rest}`)];
  });
}

/**
 * Returns a style sheet in which references to files are the URLs under which they are published. Relative ones without
 * a mark come from class names of Tailwind, such as `bg-[url(/a.png)]`.
 */
export function publishedUrls(css: string, path: string, context: StyleContext): string {
  const edits = scanStyles(path, css).urls.flatMap((url) => {
    const marked = url.value.startsWith(SCHEME);
    if (!marked && isExternal(url.value)) return [];
    const { file, rest } = splitUrl(marked ? url.value.slice(SCHEME.length) : url.value);
    const found = marked ? file : resolveReference(file, path, context, ['']);
    return found !== undefined && isFile(found, context)
      ? [edit(url, publishedUrl(found, context) + rest)]
      : [];
  });
  return edited(css, edits);
}

/** The built style sheet is in the folder `assets` of the site. */
function publishedUrl(path: string, context: StyleContext): string {
  return path.startsWith('public/') ? `../${encodeURI(path.slice('public/'.length))}` : context.asset(path);
}

function edit(url: QuotedText, value: string): Edit {
  const escaped = value.replace(/["\\\n]/g, (character) => `\\${character}`);
  return { start: url.start, end: url.end, text: `url("${escaped}")` };
}

/** Splits `font.eot?#iefix` in the decoded path and the rest. */
function splitUrl(url: string): { readonly file: string; readonly rest: string } {
  const at = url.search(/[?#]/);
  const file = at < 0 ? url : url.slice(0, at);
  const rest = at < 0 ? '' : url.slice(at);
  try {
    return { file: decodeURI(file), rest };
  } catch {
    return { file, rest };
  }
}

const NO_PACKAGES: PackageTree = { files: new Map(), versions: new Map(), resolve: () => undefined };
const ENDINGS = ['', '.css', '/index.css'];
const NAME = /^(@[a-z0-9~_.-]+\/)?[a-z0-9~_-][a-z0-9~_.-]*/i;

/**
 * Returns the names of the packages that style sheets of a project import, without those of the service.
 * @throws BuildError for brackets, texts and comments that are not closed
 */
export function importedPackages(
  sheets: readonly Sheet[],
  project: Files,
  config: ProjectConfig,
): Set<string> {
  const files = { project, packages: NO_PACKAGES, config };
  const names = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...sheets];
  for (const { path, css } of waiting) {
    const { rules } = scanStyles(path, css);
    const references = rules
      .filter(({ name }) => name === 'import' || name === 'reference')
      .map(({ text }) => text?.value ?? '');
    for (const reference of references.filter((each) => !isExternal(each))) {
      const found = resolveReference(reference.replace(/[?#].*$/s, ''), path, files, ENDINGS);
      const name = found === undefined ? NAME.exec(reference)?.[0] : undefined;
      if (found !== undefined && !seen.has(found)) {
        seen.add(found);
        waiting.push({ path: found, css: textOf(found, files) });
      } else if (name !== undefined && !isShipped(name)) {
        names.add(name);
      }
    }
  }
  return names;
}
