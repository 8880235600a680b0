/** The names of tags in angle brackets around thoughts, with a prefix such as `seed:`, `longcat_` or `ant`. */
const NAME = '(?:(?:[a-z]{1,12}[:_]|ant)?think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad)';

/** How models and the templates of their servers enclose a thought. Each pattern matches a whole tag. */
const KINDS: readonly { readonly open: RegExp; readonly close: RegExp }[] = [
  { open: new RegExp(`^\\s*<${NAME}>`, 'i'), close: new RegExp(`</${NAME}>`, 'gi') },
  // Magistral and other models of Mistral.
  { open: /^\s*\[THINK\]/i, close: /\[\/THINK\]/gi },
  // Gemma 4.
  { open: /^\s*<\|channel>/, close: /<channel\|>/g },
  // OpenThinker.
  { open: /^\s*<\|begin_of_thought\|>/, close: /<\|end_of_thought\|>/g },
  // Command A, Apertus, MedGemma.
  { open: /^\s*<\|START_THINKING\|>/, close: /<\|END_THINKING\|>/g },
  { open: /^\s*<\|inner_prefix\|>/, close: /<\|inner_suffix\|>/g },
  { open: /^\s*<unused94>/, close: /<unused95>/g },
  // Kimi.
  { open: /^\s*◁think▷/i, close: /◁\/think▷/gi },
  // The harmony format of gpt-oss: every channel but `final` is a thought. Some servers leave its tokens out.
  {
    open: /^\s*(?:<\|start\|>assistant)?<\|channel\|>(?!final\b)[^<|]{0,80}<\|message\|>/,
    close: /(?:<\|start\|>assistant)?<\|channel\|>final\b[^<|]{0,80}<\|message\|>|assistantfinal/g,
  },
];

/** A tag within a line that may begin a thought. */
const OPENING = new RegExp(`(?<!["'\`“”‘’])(?:<${NAME}>|\\[THINK\\]|◁think▷)(?!["'\`“”‘’])`, 'i');

/** A tag in a sentence about tags, not one that ends a thought. */
const QUOTES = /["'`“”‘’]/;

/** The part of a line that is no thought. */
interface Visible {
  readonly text: string;
  /** Whether the line ends a thought that no tag has begun: everything so far was one. */
  readonly endsThought: boolean;
}

/**
 * Leaves the thoughts out of the lines of an answer that are outside of files. The template of a model may have opened
 * the thought already, so that only its closing tag arrives.
 */
export class Thoughts {
  #close: RegExp | undefined;
  /** Whether a tag in the middle of a line may have begun a thought, and no marker has followed. */
  #mayBeOpen = false;

  /** A marker follows what may be a thought. */
  forgetOpening(): void {
    this.#mayBeOpen = false;
  }

  /** Whether a thought has begun and not ended. */
  get isOpen(): boolean {
    return this.#close !== undefined;
  }

  read(line: string): Visible {
    let text = line;
    let endsThought = false;
    for (;;) {
      if (this.#close !== undefined) {
        const end = endOfTag(text, this.#close, () => true);
        if (end === undefined) return { text: '', endsThought };
        this.#close = undefined;
        text = text.slice(end);
        continue;
      }
      const opened = openingOf(text);
      if (opened !== undefined) {
        this.#close = opened.close;
        text = text.slice(opened.length);
        continue;
      }
      const end = unopenedEnd(text);
      if (end === undefined) {
        if (OPENING.test(text)) this.#mayBeOpen = true;
        return { text, endsThought };
      }
      const isOpened = this.#mayBeOpen || OPENING.test(text.slice(0, end));
      this.#mayBeOpen = false;
      if (!isOpened) endsThought = true;
      text = text.slice(end);
    }
  }
}

/** Returns an answer without its thoughts. */
export function withoutThoughts(answer: string): string {
  const thoughts = new Thoughts();
  let lines: string[] = [];
  for (const line of answer.split('\n')) {
    const { text, endsThought } = thoughts.read(line);
    if (endsThought) lines = [];
    lines.push(text);
  }
  return lines.join('\n');
}

function openingOf(text: string): { readonly close: RegExp; readonly length: number } | undefined {
  for (const { open, close } of KINDS) {
    const match = open.exec(text);
    if (match) return { close, length: match[0].length };
  }
  return undefined;
}

/** The first line of an answer. */
const MARKER = /^\s*(?:$|<(?:file|edit|delete|plan)[\s>])/i;

/**
 * Returns where a closing tag ends that stands as no sentence has it: at the start or the end of its line, right before
 * a marker, or without space around it.
 */
export function unopenedEnd(text: string): number | undefined {
  const isAtEdge = (start: number, end: number) =>
    text.slice(0, start).trim() === '' ||
    MARKER.test(text.slice(end, end + 100)) ||
    (/\S/.test(text.charAt(start - 1)) && /\S/.test(text.charAt(end)));
  for (const { close } of KINDS) {
    const end = endOfTag(text, close, isAtEdge);
    if (end !== undefined) return end;
  }
  return undefined;
}

function endOfTag(text: string, close: RegExp, counts: (start: number, end: number) => boolean): number | undefined {
  for (const { index, 0: tag } of text.matchAll(close)) {
    const end = index + tag.length;
    const isQuoted = QUOTES.test(text.charAt(index - 1)) || QUOTES.test(text.charAt(end));
    if (!isQuoted && counts(index, end)) return end;
  }
  return undefined;
}
