import { readFileSync } from 'node:fs';
import { ERRORS } from '../lambda/contract/errors.ts';
import { LIMITS, RATE_LIMIT } from '../lambda/contract/limits.ts';
import type { OperationName } from '../lambda/contract/operations.ts';
import type { Recording } from './examples/recording.ts';
import type { Language } from './languages.ts';

/** Text with `code` in backticks and [links](#id), as in Markdown. */
export type Text = string;

/** A field, status or term, and its meaning. */
export interface Item {
  /** Fragment of the item, if there are links to it. */
  readonly id?: string | undefined;
  readonly name: Text;
  /** In words, such as `array of objects`. */
  readonly type?: string;
  readonly presence?: 'required' | 'optional' | undefined;
  readonly meaning: Text;
  /** Values of an enumeration. */
  readonly values?: readonly string[] | undefined;
  /** Fields of the object, or of the objects in the array or map. Several lists are alternatives. */
  readonly nested?: readonly (readonly Item[])[];
}

/** A part of a section. */
export type Block =
  | { readonly text: Text }
  | {
      readonly title?: string;
      readonly items: readonly Item[];
      readonly folded?: boolean;
      readonly sent?: Sent;
    }
  | { readonly label: string; readonly language: Language; readonly code: string }
  | { readonly samples: Recording; readonly name: OperationName };

/** Where the values of a list are sent. */
export type Sent = 'path' | 'query' | 'headers' | 'request';

/** A part of the page with a heading. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

const VALUES: Readonly<Record<string, number>> = { ...LIMITS, ...RATE_LIMIT };

/** Returns a file of `content/`, with the numbers of the contract. */
export function readContent(file: string): string {
  const text = readFileSync(new URL(`./content/${file}`, import.meta.url), 'utf8');
  const errors = Object.entries(ERRORS).map(
    ([code, { status, when }]) => `- \`${status}\`: ${when} {#error-${code}}`,
  );
  return text
    .replace('{{errors}}', errors.join('\n'))
    .replaceAll(/\{\{([a-z]\w+)\}\}/gi, (mark, name: string) => VALUES[name]?.toLocaleString('en') ?? mark);
}

/**
 * Returns the sections of a text: `## Title {#id}`, paragraphs and items (`- name: meaning {#id}`) of one line each, and code
 * with a language and a label after its opening fence.
 */
export function sectionsOf(markdown: string): readonly Section[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [, title = '', id = '', rest = ''] = /^(.*) \{#(.*)\}\n([\s\S]*)$/.exec(part) ?? [];
      const blocks = rest.matchAll(/^```(\w+) (.*)\n([\s\S]*?)\n```$|^((?:- .+\n?)+)|^(.+)$/gm);
      return { id, title, blocks: Array.from(blocks, toBlock) };
    });
}

function toBlock([, language, label = '', code = '', items, text = '']: RegExpExecArray): Block {
  if (language) return { language: language as Language, label, code };
  return items ? { items: items.trim().split('\n').map(toItem) } : { text };
}

function toItem(line: string): Item {
  const [, name = '', meaning = '', id] = /^- (.*?): (.*?)(?: \{#(.*)\})?$/.exec(line) ?? [];
  return { id, name, meaning };
}
