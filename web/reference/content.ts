import { readFileSync } from 'node:fs';
import { ERRORS } from '../../lambda/contract/errors.ts';
import { LIMITS, RATE_LIMIT, RUNNING, VIEWS_DAYS } from '../../lambda/contract/limits.ts';
import type { OperationName } from '../../lambda/contract/operations.ts';
import type { Recording } from './examples/recorder.ts';
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

/** Where the values of a list are sent. */
export type Sent = 'path' | 'query' | 'headers' | 'request';

/** A part of a section: a paragraph, a list, code, or an example's request in several languages. */
export type Block =
  | { readonly text: Text }
  | {
      readonly title?: string;
      readonly items: readonly Item[];
      readonly folded?: boolean;
      readonly sent?: Sent;
    }
  | { readonly label: string; readonly language: Language; readonly code: string }
  | { readonly samples: Recording; readonly id: OperationName };

/** A part of the page with a heading and a fragment. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export interface Group<S extends Section = Section> {
  readonly title: string;
  readonly sections: readonly S[];
}

const VALUES: Readonly<Record<string, number>> = {
  ...LIMITS,
  ...RATE_LIMIT,
  ...RUNNING,
  viewsDays: VIEWS_DAYS.most,
};

/** Returns a file of `content/`, with the numbers and errors of the contract. */
export function readContent(file: string): string {
  const errors = Object.entries(ERRORS).map(([code, { status, when }]) => `- \`${status}\`: ${when} {#error-${code}}`);
  return readFileSync(new URL(`./content/${file}`, import.meta.url), 'utf8')
    .replace('{{errors}}', errors.join('\n'))
    .replaceAll(/\{\{([a-z]\w+)\}\}/gi, (mark, name: string) => VALUES[name]?.toLocaleString('en') ?? mark);
}

const BLOCK = /^```(?<language>\w+) (?<label>.*)\n(?<code>[\s\S]*?)\n```$|^(?<items>(?:- .+\n?)+)|^(?<text>.+)$/gm;

/**
 * Returns the sections of a text: `## Title {#id}`, paragraphs and items (`- name: meaning {#id}`) of one line each, and code
 * with a language and a label after its opening fence.
 */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections = markdown.matchAll(/^## (.*) \{#(.*)\}\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm);
  return Array.from(sections, ([, title = '', id = '', rest = '']) => {
    const blocks = rest.matchAll(BLOCK);
    return { id, title, blocks: Array.from(blocks, toBlock) };
  });
}

function toBlock({ groups = {} }: RegExpExecArray): Block {
  const { language, label = '', code = '', items, text = '' } = groups;
  if (language) return { language: language as Language, label, code };
  if (text.startsWith('```')) throw new Error(`Code needs a language and a label after its fence: ${text}`);
  if (!items) return { text };
  const list = items.matchAll(/^- (.*?): (.*?)(?: \{#(.*)\})?$/gm);
  return { items: Array.from(list, ([, name = '', meaning = '', id]) => ({ id, name, meaning })) };
}
