import type { BuildProblem } from '../../../contract/builds.ts';
import { placeOf } from '../../place.ts';
import type { StyleContext } from '../style-context.ts';
import { isExternal, resolveReference, type StyleFiles } from './resolve.ts';
import { type QuotedText, type Span, scanStyles } from './scan.ts';

/** Marks a path of the project or of a package until the style sheet is complete. */
const SCHEME = 'asset:';

/** Missing files that one style sheet gets warnings for. */
const MAX_WARNINGS = 20;

/** A part of a style sheet and the text that replaces it. */
export interface Edit extends Span {
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

/** Returns the edits that make references to files independent of the file that they are in. Missing files are warnings. */
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
    if (isExternal(url.value)) {
      return [];
    }
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
 * Returns a style sheet in which references to files are the URLs under which they are published. Relative ones without a mark come from
 * class names of Tailwind, such as `bg-[url(/a.png)]`.
 */
export function publishedUrls(css: string, path: string, context: StyleContext): string {
  const edits = scanStyles(path, css).urls.flatMap((url) => {
    const marked = url.value.startsWith(SCHEME);
    if (!marked && isExternal(url.value)) {
      return [];
    }
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

function isFile(path: string, { project, packages }: StyleFiles): boolean {
  return project.has(path) || packages.files.has(path);
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
