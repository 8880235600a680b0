import type { Comment } from './parts.ts';

/** The start of a line that is only a comment, by file extension. */
const MARKS: Readonly<Record<string, RegExp>> = Object.fromEntries([
  ...'py rb sh bash yml yaml toml pl r jl ex exs'.split(' ').map((name) => [name, /^\s*#/]),
  ...'go rs java kt swift c h cc cpp hpp cs php dart scala scss less'
    .split(' ')
    .map((name) => [name, /^\s*(?:\/\/|\/\*)/]),
  ...'sql lua hs'.split(' ').map((name) => [name, /^\s*--/]),
]);

/** Python: a body that is only a TODO. */
const PYTHON_TODO = /^\s*(?:pass|\.\.\.)\s*#\s*TODO\b/;
/** Python: code in which an ellipsis is a valid body. https://docs.python.org/3/library/typing.html */
const PYTHON_STUBS = /\b(?:Protocol|overload|abstractmethod|ABC)\b/;

/**
 * Returns the lines that are only a comment, for languages without a parser here; for Python also placeholder bodies.
 * Returns none for other languages.
 */
export function readLineComments(path: string, source: string): Comment[] {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const mark = Object.hasOwn(MARKS, extension) ? MARKS[extension] : undefined;
  if (mark === undefined) return [];
  const ellipsisIsLeftOut = extension === 'py' && !PYTHON_STUBS.test(source);
  const comments: Comment[] = [];
  for (let start = 0; start < source.length; ) {
    const end = source.indexOf('\n', start);
    const line = source.slice(start, end === -1 ? source.length : end);
    if (mark.test(line)) comments.push({ text: line, index: start });
    else if (extension === 'py' && PYTHON_TODO.test(line))
      comments.push({ text: '# TODO: implement', index: start });
    else if (ellipsisIsLeftOut && line.trim() === '...') comments.push({ text: '...', index: start });
    start += line.length + 1;
  }
  return comments;
}
