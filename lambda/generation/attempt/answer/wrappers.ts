const FENCE = /^\s*(`{3,}|~{3,})([\w+#.-]*)\s*$/;
const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
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
  const [, opening, language = ''] = FENCE.exec(lines[first] ?? '') ?? [];
  const [, closing, after] = (last > first && FENCE.exec(lines[last] ?? '')) || [];
  const isClosed = closing !== undefined && after === '' && (opening === undefined || closing === opening);
  if (MARKDOWN.test(path) || PROSE.test(path)) {
    const isWrapper = MARKDOWN.test(path) ? /^(?:md|mdx|markdown)$/i.test(language) : true;
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
    const [, found, language] = FENCE.exec(line) ?? [];
    if (found !== mark || (language !== '' && isOpen)) continue;
    if (language === '' && !isOpen) return false;
    isOpen = language !== '';
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
