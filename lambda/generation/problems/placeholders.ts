import type { Comment } from '../../sites/parts/parts.ts';

/** Longer lines are no placeholders. */
const LONGEST = 160;

/** Nouns for code in placeholders. */
const PART = words(
  'code|files?|implementation|logic|functionality|components?|functions?|methods?|class(?:es)?|styles?|styling|css|html',
  'markup|scripts?|javascript|js|imports?|exports?|routes?|handlers?|tests?|config|configuration|content|contents',
  'sections?|items?|entries|fields?|cards?|questions?|elements?|rules?|cases?|properties|variables?|definitions?',
  'listeners?|rows?|columns?|pages?|links?|buttons?|options?|steps?|levels?|products?|posts?|features?|helpers?',
  'body|setup|data|examples?|endpoints?|selectors?|media queries|animations?|translations?|icons?',
);
const CODE = words('code|logic|implementation|functionality|content|html|css|styles?|markup|javascript|scripts?');
const DOTS = '(?:\\.{3,}|…)';
const REMAINING = words('rest|remainder|remaining|existing|previous|other|more|additional|further|same|similar');
const LEFT_OUT = words('omitted|unchanged|truncated|snipped|snip|elided|abbreviated|left out|cut');
const AS_BEFORE = words(
  `(?:stays?|remains?|is|are|goes|go|continues?|follows?|as)? ?(?:the same(?: as (?:before|above))?|unchanged|here|omitted|as (?:before|above|is)|same as before)`,
);
/** Up to five words that name the omitted code. */
const SOME = "(?:[\\w'’(),/&-]+ ){0,5}?";

/**
 * Comments that stand for omitted code. Each pattern matches a whole line, because the same words may occur in an
 * ordinary sentence.
 */
const PLACEHOLDERS: readonly RegExp[] = [
  // "... rest of the code", "... more items ...", "... existing styles", "... and the other handlers"
  `${DOTS} ?(?:and |add |plus |with |the |all )*${REMAINING} ${SOME}${PART}(?: ${AS_BEFORE})?`,
  `${DOTS} ?(?:and |the )*${REMAINING}`,
  `${DOTS} ?${SOME}${LEFT_OUT}(?: .*)?`,
  `${DOTS} ?(?:your|insert|add) ${SOME}here`,
  `${DOTS} ?(?:etc|and so on|code|implementation)`,
  // "rest of the code here", "remaining methods unchanged", "existing code stays the same"
  `(?:add |and |plus |the |all |keep )*(?:rest|remainder) of (?:the |your |this |our )?${SOME}${PART} ${AS_BEFORE}`,
  `(?:and |the |all |keep )*(?:remaining|existing|previous|other) ${SOME}${PART} ${AS_BEFORE}`,
  // "rest of the code ...", "existing code...", "more items ..."
  `(?:and |the )*${REMAINING} (?:of )?${SOME}${PART} ?${DOTS}`,
  // "more items here", "add more questions here", "similar cards go here"
  `(?:add |and |plus |insert )*(?:more|additional|other|further|similar) ${SOME}${PART} (?:go(?:es)? )?here`,
  // "add your code here", "your logic goes here", "implementation goes here", "code here"
  `(?:add|insert|put|write|place|paste|enter) (?:your |the )?${SOME}${CODE} (?:goes |go )?(?:here|below)`,
  `your ${SOME}${CODE} (?:goes |go )?here`,
  `${CODE} goes here`,
  `(?:to be|not(?: yet)?) implemented(?: yet)?`,
  `implement (?:me|this|here|(?:this )?(?:later|function|method)(?: here)?)`,
  `${SOME}placeholder (?:code|implementation|logic)`,
  `.*\\bfor (?:the sake of )?brevity`,
].map((pattern) => new RegExp(`^\\(?${pattern}\\)?[.!)\\]:]* ?${DOTS}?$`, 'i'));

/** Upper case only, because the comments of a to-do application mention todos. */
const TODO =
  /^(?:TODO|FIXME)\b[\s:(\w)-]{0,20}?\b(?:[Ii]mplement|[Ff]ill in|[Ww]rite|[Ff]inish|[Aa]dd (?:the |your |actual |real )?(?:code|logic|implementation))\b/;
const ONLY_DOTS = /^(?:\.{3,}|…)$/;

/**
 * Returns the comment lines that stand for omitted code, each with its offset. Documentation is skipped, because its
 * examples are short on purpose.
 * @param comments with their delimiters; `...` alone stands for a line of code that is only that
 */
export function placeholdersIn(comments: readonly Comment[]): Comment[] {
  const found: Comment[] = [];
  for (const { text, index } of comments) {
    if (text.startsWith('/**')) continue;
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start);
      const line = text.slice(start, end === -1 ? text.length : end);
      if (isPlaceholder(line)) found.push({ text: line.trim(), index: index + start });
      start += line.length + 1;
    }
  }
  return found;
}

function isPlaceholder(line: string): boolean {
  if (line.length > LONGEST) return false;
  const text = line
    .replace(/^\s*(?:\/\/+|\/\*+|<!--+|\*(?!\/)|#+|--)?\s*/, '')
    .replace(/\s*(?:\*\/|--+>)?\s*$/, '')
    .replace(/\s+/g, ' ');
  return ONLY_DOTS.test(text) || TODO.test(text) || PLACEHOLDERS.some((pattern) => pattern.test(text));
}

function words(...lists: string[]): string {
  return `(?:${lists.join('|')})`;
}

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
    else if (extension === 'py' && PYTHON_TODO.test(line)) comments.push({ text: '# TODO: implement', index: start });
    else if (ellipsisIsLeftOut && line.trim() === '...') comments.push({ text: '...', index: start });
    start += line.length + 1;
  }
  return comments;
}
