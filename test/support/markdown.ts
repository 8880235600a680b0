export interface CodeBlock {
  /** The word after the opening fence, or an empty string. */
  readonly language: string;
  readonly code: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

const FENCE = /^```(\w*).*\n([\s\S]*?)^```$/gm;

/** Returns the fenced code blocks of a Markdown document, in their order. */
export const codeBlocks = (markdown: string): CodeBlock[] =>
  Array.from(markdown.matchAll(FENCE), ({ 1: language = '', 2: code = '', index }) => ({
    language,
    code,
    line: markdown.slice(0, index).split('\n').length,
  }));

/** Returns a Markdown document without its fenced code blocks. */
export const prose = (markdown: string): string => markdown.replace(FENCE, '');
