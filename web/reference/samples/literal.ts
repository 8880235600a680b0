import { ELLIPSIS } from '../examples/recording.ts';

/** How a language writes the values of JSON. */
export interface Notation {
  string(text: string): string;
  /** The name of a field. */
  name(text: string): string;
  readonly keywords: Readonly<Record<string, string>>;
  /** Whether an object on one line has spaces inside its braces. */
  readonly padded: boolean;
  /** After the last of several lines. */
  readonly trailingComma: '' | ',';
  readonly tab: string;
}

/** A literal that makes its line longer is split into lines. */
const LINE_LENGTH = 58;

export const JSON_NOTATION: Notation = {
  string: (text) => JSON.stringify(text),
  name: (text) => JSON.stringify(text),
  keywords: {},
  padded: true,
  trailingComma: '',
  tab: '  ',
};

/** Writes a value as a literal: on one line if it fits, else one line per element. @param used characters before it on its line */
export function literal(value: unknown, notation: Notation, indent = '', used = indent.length): string {
  const { name, padded, trailingComma, tab } = notation;
  if (typeof value === 'string') return value === ELLIPSIS ? ELLIPSIS : notation.string(value);
  if (typeof value !== 'object' || value === null)
    return notation.keywords[String(value)] ?? JSON.stringify(value);
  const elements = (inner: string) =>
    Array.isArray(value)
      ? value.map((element) => literal(element, notation, inner))
      : Object.entries(value).map(([key, one]) => `${name(key)}: ${literal(one, notation, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const pad = padded && open === '{' ? ' ' : '';
  // The indentation makes elements that do not fit even longer.
  const inline = elements('').join(', ');
  const isShort = used + inline.length + 2 * pad.length + 2 <= LINE_LENGTH && !/\n|…/.test(inline);
  if (isShort) return inline === '' ? open + close : `${open}${pad}${inline}${pad}${close}`;
  const inner = indent + tab;
  return `${open}\n${inner}${elements(inner).join(`,\n${inner}`)}${trailingComma}\n${indent}${close}`;
}
