import type { Item, Section, Sent } from './content.ts';
import type { OperationSection } from './operations.ts';

/** An entry of the search: the fragment, title, group and further words of a part of the reference. */
export type Entry = readonly [id: string, title: string, group: string, words: string];

/** An input of the form that sends a request. */
export interface Input {
  readonly sent: Sent;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** Values of an enumeration. */
  readonly values?: readonly string[] | undefined;
  /** The value of the example. */
  readonly value?: unknown;
}

/** An operation as the form sends it. */
export interface Call {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly group: string;
  /** Whether what it changes is seen by others and cannot be restored here. */
  readonly destructive: boolean;
  readonly inputs: readonly Input[];
}

/** What the script of the reference needs: the search index, and the operations by name. */
export interface BrowserData {
  readonly entries: readonly Entry[];
  readonly calls: Readonly<Record<string, Call>>;
}

/** Returns what the script needs of the sections by group. */
export function browserData(
  groups: readonly (readonly [string, readonly (Section | OperationSection)[]])[],
): BrowserData {
  const sections = groups.flatMap(([group, some]) => some.map((section) => [group, section] as const));
  return {
    entries: sections.flatMap(([group, section]) => entriesOf(group, section)),
    calls: Object.fromEntries(
      sections.flatMap(([group, section]) =>
        'operation' in section ? [[section.name, callOf(group, section)]] : [],
      ),
    ),
  };
}

function entriesOf(group: string, section: Section | OperationSection): Entry[] {
  const { id, title, blocks } = section;
  const route = 'operation' in section ? `${section.operation.method} ${section.operation.path} ` : '';
  const texts = blocks.flatMap((block) =>
    'text' in block ? [block.text] : 'code' in block ? [block.label] : [],
  );
  const items = blocks.flatMap((block) => ('items' in block ? block.items : []));
  const terms = items.flatMap((item) => (item.id ? [] : [item.name, item.meaning]));
  const own: Entry = [id, title, group, route + plain([...texts, ...terms].join(' '))];
  return [own, ...items.flatMap((item) => itemEntries(item, title, ''))];
}

function itemEntries({ id, name, meaning, nested = [] }: Item, title: string, parent: string): Entry[] {
  const path = `${parent}${plain(name)}`;
  const own: Entry[] = id ? [[id, path, title, plain(meaning)]] : [];
  return [...own, ...nested.flat().flatMap((item) => itemEntries(item, title, `${path}.`))];
}

const plain = (text: string) => text.replaceAll('`', '').replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1');

function callOf(group: string, { operation, blocks }: OperationSection): Call {
  const { title, method, path } = operation;
  const [example] = blocks.flatMap((block) => ('samples' in block ? [block.samples.request.body] : []));
  const body = (example ?? {}) as Readonly<Record<string, unknown>>;
  const inputs = blocks.flatMap((block) => {
    const sent = 'items' in block && block.sent;
    if (!sent) return [];
    return block.items.map(({ name, type = 'string', presence, values }): Input => {
      const value = sent === 'request' ? body[plain(name)] : undefined;
      // A variable stands for a value of the reader's own.
      const given = typeof value === 'string' && value.startsWith('$') ? undefined : value;
      return { sent, name: plain(name), type, required: presence === 'required', values, value: given };
    });
  });
  const destructive = method === 'DELETE' || path.endsWith('/rollback');
  return { title, method, path, group, destructive, inputs };
}
