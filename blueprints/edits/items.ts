import { ESCAPES } from '../engine/fill.ts';
import type { ProjectFile } from '../kit/types.ts';

const STRING = "'(?:[^'\\\\\\n]|\\\\.)*'";
/** A list of texts under a name in lower case, such as `entries: ['Milk', 'Eggs']`. */
const ARRAY = new RegExp(`((?<![\\w])[a-z]\\w* ?[=:] )\\[\\s*(${STRING}(?:,\\s*${STRING})*),?\\s*\\]`, 'g');
const LIST_ITEM = /^[ \t]*<li\b[^>]*>(?:(?!<li\b)[\s\S])*?<\/li>\n/gm;

/** Returns the items of a list in code. */
function itemsOf(list: string): string[] {
  return Array.from(list.matchAll(new RegExp(STRING, 'g')), ([literal]) =>
    literal
      .slice(1, -1)
      .replace(/\\u([\da-f]{4})|\\(.)/g, (_, code, char) =>
        code ? String.fromCharCode(Number.parseInt(code, 16)) : char,
      ),
  );
}

type Change = (items: readonly string[]) => readonly string[] | undefined;

/** Changes the lists for which `change` returns other items. @returns the files, and how many different lists changed */
function changeLists(files: readonly ProjectFile[], change: Change) {
  const changed = new Set<string>();
  const result = files.map(({ path, content }) => {
    if (!path.endsWith('.js') || path.startsWith('test/') || path.endsWith('texts.js')) return { path, content };
    const edited = content.replace(ARRAY, (whole, name: string, list: string, at: number) => {
      const items = change(itemsOf(list));
      if (items === undefined) return whole;
      changed.add(list);
      const indent = /^[ \t]*/.exec(content.slice(content.lastIndexOf('\n', at) + 1))?.[0] ?? '';
      return name + ESCAPES.js(items, indent);
    });
    return { path, content: edited };
  });
  return { files: result, lists: changed.size };
}

const textIn = (item: string) => item.replace(/<[^>]+>/g, '').trim();

/** Changes the list items of pages whose whole text is this one. */
function changeElements(files: readonly ProjectFile[], text: string, change: (element: string) => string) {
  let lists = 0;
  const result = files.map(({ path, content }) => ({
    path,
    content: path.endsWith('.html')
      ? content.replace(LIST_ITEM, (element) => {
          if (textIn(element) !== ESCAPES.html(text, '')) return element;
          lists++;
          return change(element);
        })
      : content,
  }));
  return { files: result, lists };
}

/** Returns the files with the item at the end of their only list, or after another item, or why that is not possible. */
export function addItem(files: readonly ProjectFile[], item: string, after: string | undefined) {
  const lists = changeLists(files, (items) => {
    const at = after === undefined ? items.length : items.indexOf(after) + 1;
    return at === 0 && after !== undefined ? undefined : items.toSpliced(at, 0, item);
  });
  if (lists.lists === 1) return lists.files;
  if (after === undefined || lists.lists > 1)
    return `no single list for "${item}": say which item it follows, as in add "A" after "B"`;
  const elements = changeElements(
    files,
    after,
    (element) => element + element.replace(ESCAPES.html(after, ''), () => ESCAPES.html(item, '')),
  );
  return elements.lists === 1 ? elements.files : `no list has the item "${after}"`;
}

/** Returns the files without the item, or why that is not possible. */
export function removeItem(files: readonly ProjectFile[], item: string) {
  const lists = changeLists(files, (items) =>
    items.includes(item) ? items.filter((other) => other !== item) : undefined,
  );
  if (lists.lists === 1) return lists.files;
  const elements = changeElements(files, item, () => '');
  if (lists.lists === 0 && elements.lists === 1) return elements.files;
  return lists.lists + elements.lists === 0
    ? `no list has the item "${item}"`
    : `several lists have the item "${item}"`;
}
