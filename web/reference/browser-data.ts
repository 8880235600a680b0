import type { Group, Item, Section, Sent } from './content.ts';
import type { OperationSection } from './operations.ts';

/** An entry of the search index; `words` are further words to find it by. */
export type Entry = readonly [id: string, title: string, group: string, words: string];

/** An operation as the form of the page sends it. */
export type Call = ReturnType<typeof callOf>;
export type Input = Call['inputs'][number];
export type BrowserData = ReturnType<typeof browserData>;

/** Returns what the script of the reference needs: the search index, and the operations by name. */
export function browserData(groups: readonly Group<Section | OperationSection>[]) {
  const sections = groups.flatMap(({ title, sections: some }) => some.map((section) => ({ group: title, section })));
  const entries = sections.flatMap(({ group, section }) => entriesOf(group, section));
  const calls = sections.flatMap(({ group, section }) =>
    'operation' in section ? [[section.id, callOf(group, section)] as const] : [],
  );
  return { entries, calls: Object.fromEntries(calls) };
}

function entriesOf(group: string, section: Section | OperationSection): Entry[] {
  const { id, title, blocks } = section;
  const route = 'operation' in section ? `${section.operation.method} ${section.operation.path} ` : '';
  const texts = blocks.flatMap((block) => {
    if ('text' in block) return block.text;
    return 'code' in block ? block.label : [];
  });
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

/** Removes the marks of code and links. */
const plain = (text: string) => text.replaceAll('`', '').replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1');

function callOf(group: string, { operation: { title, method, path }, blocks }: OperationSection) {
  const body = blocks.find((block) => 'samples' in block)?.samples.request.body as Record<string, unknown> | undefined;
  const inputOf = (sent: Sent, { name, type = 'string', presence, values }: Item) => {
    const value = sent === 'request' ? body?.[plain(name)] : undefined;
    // A variable stands for a value of the reader's own.
    const given = typeof value === 'string' && value.startsWith('$') ? undefined : value;
    return { sent, name: plain(name), type, required: presence === 'required', values, value: given };
  };
  const inputs = blocks.flatMap((block) => {
    const sent = 'items' in block ? block.sent : undefined;
    return sent && 'items' in block ? block.items.map((item) => inputOf(sent, item)) : [];
  });
  return { title, method, path, group, inputs };
}
