import { entryOf, pathProblem } from '../../../sites/paths.ts';
import type { WrittenFile } from '../../../stored/projects/stored-project.ts';
import { markerOf } from './protocol.ts';

/** The mark and the info string of a fence. */
const FENCE = /^\s*(`{3,}|~{3,})([^`]*)$/;
/** The name of a file: with an extension, or a known one without. */
const NAME = String.raw`(?:[\w@.()\[\]-]+/)*(?:[\w@.()\[\]-]*\.[A-Za-z][\w]{0,9}|Dockerfile|Makefile|LICENSE)`;
/** The line above a fence that is the name of its file: `**index.html**`, `### 1. src/app.js`, `File: index.html`. */
const HEADING = new RegExp(
  String.raw`^[#*\s>-]*(?:\d{1,2}[.)]\s*)?(?:(?:file(?:name)?|path)\s*:\s*)?[*_\`]*(?:\./)?(${NAME})[*_\`]*\s*(?:\([^)]*\))?\s*:?[*_\`]*\s*$`,
  'i',
);
/** The info string of a fence that names its file: `html index.html`, `html:index.html`, `js filename="app.js"`. */
const INFO = new RegExp(
  String.raw`^[\w+#-]*(?:\s+|:)(?:(?:file(?:name)?|path|title)\s*[=:]\s*)?["']?(?:\./)?(${NAME})["']?\s*$`,
  'i',
);
/** The first line of a file that is a comment with its name. */
const COMMENT = new RegExp(
  String.raw`^\s*(?://|#|/\*|<!--)\s*(?:file(?:name)?\s*:\s*)?(?:\./)?(${NAME})\s*(?:\*/|-->)?\s*$`,
  'i',
);
/** A page begins its line: within JSON it does not. */
const PAGE = /^[ \t]*(?:<!doctype html|<html[\s>])/im;
/** A fence that is a page begins with it, except for a comment: that of a shell command does not. */
const WHOLE_PAGE = /^\s*(?:<!--[\s\S]*?-->\s*)?(?:<!doctype html|<html[\s>])/i;

interface Fence {
  readonly path: string | undefined;
  readonly isPage: boolean;
  readonly content: string;
}

/**
 * Returns the files of a complete answer without markers: code fences with file names, as small models write them, a
 * single page in a fence, or a page without a fence. Returns no files if one is ambiguous, such as a fence of code
 * without a name among others, or two of the same name, or if a new project has no page.
 * @param isNew whether the project has no files yet; for an existing project, every fence must have a file name
 */
export function filesWithoutMarkers(answer: string, isNew: boolean): WrittenFile[] {
  const fences = fencesIn(answer.split(/\r?\n/));
  if (fences === undefined) return [];
  if (fences.length === 0) return isNew ? barePage(answer) : [];
  const pages = isNew ? fences.filter(({ isPage }) => isPage) : [];
  const files = new Map<string, WrittenFile>();
  for (const { path, isPage, content } of fences) {
    const name = path ?? (isPage && pages.length === 1 ? 'index.html' : undefined);
    // Such a fence has commands that run the project, or a sketch of its folders.
    if (name === undefined && !isCode(content)) continue;
    if (name === undefined || files.has(name) || pathProblem(name) !== undefined) return [];
    files.set(name, { path: name, content });
  }
  return isNew && entryOf([...files.keys()]) === '' ? [] : [...files.values()];
}

/** Returns the fences of an answer; undefined if the last one does not end. */
function fencesIn(lines: readonly string[]): Fence[] | undefined {
  const fences: Fence[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, mark, info = ''] = FENCE.exec(lines[at] ?? '') ?? [];
    if (mark === undefined) continue;
    let end = at + 1;
    while (end < lines.length && lines[end]?.trim() !== mark) end++;
    if (end === lines.length) return undefined;
    // In a list, the fence and its content are indented.
    const indent = new RegExp(`^[ \\t]{0,${(lines[at] ?? '').search(/\S/)}}`);
    const content = lines.slice(at + 1, end).map((line) => line.replace(indent, ''));
    fences.push(fenceOf(nameAbove(lines, at), info, content));
    at = end;
  }
  return fences;
}

function fenceOf(heading: string | undefined, info: string, lines: readonly string[]): Fence {
  const comment = COMMENT.exec(lines[0] ?? '')?.[1];
  const path = INFO.exec(info.trim())?.[1] ?? heading ?? comment;
  const content = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  return { path, isPage: WHOLE_PAGE.test(content), content };
}

/** Returns the file name in the last non-blank line above a fence. */
function nameAbove(lines: readonly string[], at: number): string | undefined {
  const above = lines.slice(Math.max(0, at - 2), at).findLast((line) => line.trim() !== '');
  return above !== undefined && above.length < 300 ? HEADING.exec(above)?.[1] : undefined;
}

/** Reports if a fence has code: shell commands and sketches of folders have neither braces nor tags. */
function isCode(content: string): boolean {
  return /[{};]|<[a-z!/]/i.test(content);
}

/** Returns the page in an answer that has no fence, without the text before and after it, which is in no other format. */
function barePage(answer: string): WrittenFile[] {
  const start = answer.search(PAGE);
  const end = answer.toLowerCase().lastIndexOf('</html>');
  if (start === -1 || end < start || formatOf(answer.slice(0, start) + answer.slice(end)) !== undefined) return [];
  return [{ path: 'index.html', content: `${answer.slice(start, end)}</html>\n` }];
}

const DIFF = /^(?:diff --git |@@ -\d|--- a\/|\+\+\+ b\/)/m;

/** Reports if a line is one of a unified diff's headers. */
export const isDiff = (line: string): boolean => DIFF.test(line);

/** The formats that models use instead of the required one; the first match is reported. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/&lt;(?:file|edit)\s+path=/i, 'its markers are escaped as `&lt;file …&gt;`'],
  [/(?:\\<|<\s+)(?:file|edit)\s+path\s*=/i, 'its markers are not written as `<file path="…">`'],
  [/<(?:file|edit)\s+(?:name|filename|src)\s*=/i, 'its markers have no `path` attribute'],
  [/^[ \t]*<{5,9} *SEARCH\b/im, 'its search-and-replace blocks are not inside of `<edit path="…">` and `</edit>`'],
  [DIFF, 'it is a diff'],
  [/^[^{}[\]`]{0,500}(?:```(?:json)?\s*)?[{[][\s\S]{0,200}"(?:files|path|content)"\s*:/i, 'it is JSON'],
  [
    /<(?:boltAction|boltArtifact|lov-write|dyad-write|write_to_file|tool_call|function_calls|invoke|v0_|CodeProject|antArtifact)\b/i,
    'it has tags of another tool',
  ],
  [/^[ \t]*(?:`{3,}|~{3,})/m, 'its files are in code fences, without a marker around each'],
];

const formatOf = (text: string): string | undefined => FORMATS.find(([pattern]) => pattern.test(text))?.[1];

/** Returns how the format of an answer without files differs from the required one, as a clause. */
export function formatProblem(answer: string): string {
  if (answer.trim() === '') return 'it is empty';
  const format = formatOf(answer);
  if (format !== undefined) return format;
  const hasMarker = answer.split('\n', 10_000).some((line) => markerOf(line, true)?.opens !== undefined);
  return hasMarker ? 'none of its files is complete' : 'it has no file between markers';
}

const MARKDOWN = /\.(?:[qr]?md|mdx|markdown)$/i;
/** Files in which a line of backticks can be content at either end. */
const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc)$|(?:^|\/)[^.]*$/i;
const CDATA = /^\s*<!\[CDATA\[/;
const CDATA_END = /\]\]>\s*$/;

/**
 * Returns the lines of a file without what a model put around them: a code fence, of which one end may be missing, or a
 * CDATA section. In Markdown, only a whole fence of the language `markdown` is none of the content.
 */
export function withoutWrapper(path: string, lines: readonly string[]): readonly string[] {
  const first = lines.findIndex(isFilled);
  const last = lines.findLastIndex(isFilled);
  if (first === -1) return lines;
  return withoutFence(path, lines, first, last) ?? withoutCdata(lines, first, last) ?? lines;
}

function withoutFence(path: string, lines: readonly string[], first: number, last: number) {
  const [, opening, info = ''] = FENCE.exec(lines[first] ?? '') ?? [];
  const [, closing, after] = (last > first && FENCE.exec(lines[last] ?? '')) || [];
  const isClosed = closing !== undefined && after?.trim() === '' && (opening === undefined || closing === opening);
  if (MARKDOWN.test(path) || PROSE.test(path)) {
    const isWrapper = MARKDOWN.test(path) ? /^(?:md|mdx|markdown)$/i.test(info.trim()) : true;
    const inner = lines.slice(first + 1, last);
    return opening !== undefined && isClosed && isWrapper && isBalanced(inner, opening) ? inner : undefined;
  }
  if (opening === undefined && !isClosed) return undefined;
  const inner = lines.slice(opening === undefined ? 0 : first + 1, isClosed ? last : undefined);
  // Otherwise the fence is a part of the content, as that of an example at its start or end.
  return isBalanced(inner, opening ?? closing ?? '') ? inner : undefined;
}

/** Whether every fence of the same kind within the lines ends: otherwise the outer ones are not a pair. */
function isBalanced(lines: readonly string[], mark: string): boolean {
  let isOpen = false;
  for (const line of lines) {
    const [, found, info = ''] = FENCE.exec(line) ?? [];
    const opens = info.trim() !== '';
    if (found !== mark || (opens && isOpen)) continue;
    if (!opens && !isOpen) return false;
    isOpen = opens;
  }
  return !isOpen;
}

/** XML files may have a CDATA section of their own, but none that begins and ends the file. */
function withoutCdata(lines: readonly string[], first: number, last: number): readonly string[] | undefined {
  const opening = CDATA.exec(lines[first] ?? '');
  if (opening === null || !CDATA_END.test(lines[last] ?? '')) return undefined;
  const inner = lines.slice(first, last + 1).join('\n');
  const content = inner.slice(opening[0].length).replace(CDATA_END, '');
  return content.replace(/^\n/, '').replace(/\n$/, '').split('\n');
}

function isFilled(line: string): boolean {
  return line.trim() !== '';
}
