import { readFileSync } from 'node:fs';
import { OutputParser } from '../../../lambda/generation/attempt/answer/output-parser.ts';
import { readPlan } from '../../../lambda/generation/attempt/answer/protocol.ts';
import { startsWith } from '../../../lambda/generation/unfinished.ts';

/** The files of `../answers`. */
export type RecordedAnswer =
  | 'finance'
  | 'snake'
  | 'snake-review'
  | 'finance-change'
  | 'finance-plan'
  | 'react-habits'
  | 'vue-kanban'
  | 'svelte-pomodoro'
  | 'react-links'
  | 'react-links-repair'
  | 'wedding-guestbook'
  | 'party-registration';

/** Returns an answer of a language model, as `../answers/README.md` describes it. */
export function recorded(name: RecordedAnswer): string {
  return readFileSync(new URL(`../answers/${name}.txt`, import.meta.url), 'utf8');
}

/** Returns the files of an answer by path. */
export function filesIn(answer: string): Map<string, string> {
  const parser = new OutputParser();
  parser.feed(answer);
  parser.end();
  return new Map(Array.from(parser.files.values(), ({ path, content }) => [path, content]));
}

/** Returns what stands between the markers of an answer, by path: files, or the blocks of edits. */
export function partsOf(answer: string): {
  readonly parts: Map<string, string>;
  readonly edits: Set<string>;
} {
  const found = Array.from(answer.matchAll(/^<(file|edit) path="([^"]+)">\n([\s\S]*?\n)<\/\1>$/gm));
  return {
    parts: new Map(found.map(([, , path = '', text = '']) => [path, text])),
    edits: new Set(found.filter(([, name]) => name === 'edit').map(([, , path = '']) => path)),
  };
}

/** How a model begins to continue an unfinished file. */
export type Manner = 'as asked' | 'without its marker' | 'in a fence' | 'from the start' | 'from earlier lines';

/**
 * A language model that knows one project by heart and answers as models do: it reads from the message what is asked for, a
 * new project, a group of its plan, what is missing, or the rest of a file, and writes that.
 */
export class Model {
  readonly #files: ReadonlyMap<string, string>;
  readonly #plan: string;
  readonly #manner: Manner;
  readonly #edits: ReadonlySet<string>;

  /**
   * @param plan the plan with which it begins a new project if the rules ask for one
   * @param edits the paths whose text consists of blocks of an edit
   */
  constructor(
    files: ReadonlyMap<string, string>,
    plan = '',
    manner: Manner = 'as asked',
    edits: ReadonlySet<string> = new Set(),
  ) {
    this.#files = files;
    this.#plan = plan;
    this.#manner = manner;
    this.#edits = edits;
  }

  /** @param message the system text and that of the user */
  answer(message: string): string {
    const rest = this.#restOfFile(message);
    const done = rest?.path;
    const written = this.#asked(message)
      .filter((path) => path !== done)
      .map((path) => {
        const name = this.#nameOf(path);
        return `<${name} path="${path}">\n${this.#files.get(path)}</${name}>\n`;
      });
    const plan = this.#plans(message) ? `<plan>\n${this.#plan}</plan>\n` : '';
    return `${plan}${rest?.text ?? ''}${written.join('')}<done/>\n`;
  }

  #nameOf(path: string): string {
    return this.#edits.has(path) ? 'edit' : 'file';
  }

  #plans(message: string): boolean {
    return this.#plan !== '' && message.includes('write the plan');
  }

  /** Returns the paths of the files that the message asks for. */
  #asked(message: string): string[] {
    const paths = [...this.#files.keys()];
    const own = /Write only these files of the plan now, [^\n]*\n((?:- .*(?:\n|$))+)/.exec(message)?.[1];
    if (own !== undefined) return paths.filter((path) => own.split('\n').includes(`- ${path}`));
    if (this.#plans(message)) {
      const { files } = readPlan(this.#plan.split('\n'), []);
      return files.filter(({ group }) => group === 1).map(({ path }) => path);
    }
    const done = message.includes('requested change')
      ? /These were changed for this request already:\n((?:- .*\n)+)/
      : /The project has these files:\n((?:- .*\n)+)/;
    const existing = done.exec(message)?.[1]?.split('\n') ?? [];
    return paths.filter((path) => !existing.includes(`- ${path}`));
  }

  /** Returns the rest of the file in which the answer before broke off. */
  #restOfFile(message: string): { readonly path: string; readonly text: string } | undefined {
    const asked = /\n<(?:file|edit) path="([^"]+)" continued>\n([\s\S]*)$/.exec(message);
    const [, path = '', anchor = ''] = asked ?? [];
    const content = this.#files.get(path);
    if (content === undefined) return undefined;
    const lines = content.split('\n');
    const repeated = anchor.trimEnd().split('\n');
    const shown = message.split('These lines of it have arrived and are kept:\n\n')[1] ?? '';
    const arrived = (shown.split('\n\n--- here it broke off ---')[0] ?? '').split('\n').length;
    const at = arrived - repeated.length;
    if (!startsWith(lines.slice(at), repeated)) throw new Error(`${path} is not what the model wrote`);
    return { path, text: this.#continued(path, lines, at) };
  }

  #continued(path: string, lines: readonly string[], at: number): string {
    const from = (line: number) => lines.slice(Math.max(0, line)).join('\n');
    const name = this.#nameOf(path);
    const marker = `<${name} path="${path}" continued>\n`;
    const end = `</${name}>\n`;
    switch (this.#manner) {
      case 'as asked':
        return `${marker}${from(at)}${end}`;
      case 'without its marker':
        return `${from(at)}${end}`;
      case 'in a fence':
        return `${marker}\`\`\`\n${from(at)}${end}`;
      case 'from the start':
        return `<${name} path="${path}">\n${from(0)}${end}`;
      case 'from earlier lines':
        return `${marker}${from(at - 5)}${end}`;
    }
  }
}

/** Returns all texts of the body of a request to a vendor, in their order. */
export function messageOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (typeof body !== 'object' || body === null) return '';
  return Object.values(body).map(messageOf).join('\n');
}
