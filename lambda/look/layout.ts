import { findMisplaced, type Misplaced } from './in-page/layout.js';
import { findUnstyled, type Unstyled } from './in-page/styles.js';
import type { Tab } from './tab.ts';

/** Findings of each kind on one page, such as all buttons of a list. */
const MAX_OF_KIND = 3;
const MAX_ELEMENT = 120;
const MAX_TEXT = 40;

/** Records texts and controls that overlap, touch, stick out or are cut off, and markup that no style sheet knows. */
export async function findLayout(tab: Tab): Promise<void> {
  const isNamed = namedIn(tab.record.places.files);
  const counts = new Map<string, number>();
  const add = (what: string, message: string) => {
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    if (count <= MAX_OF_KIND) tab.record.add({ kind: 'layout', message });
  };
  for (const one of (await tab.try(findMisplaced)) ?? []) add(one.what, misplaced(one));
  const said = new Set<string>();
  for (const one of (await tab.try(findUnstyled)) ?? []) {
    const key = `${one.what} ${one.classes[0]}`;
    // Scripts that name a class may use it for more than its look; only the look separates texts.
    const where = one.what === 'stuck' ? isNamed.style : isNamed.all;
    if (said.has(key) || one.classes.some((name) => where.has(name))) continue;
    said.add(key);
    add(one.what, unstyled(one));
  }
}

function misplaced({ what, texts, element }: Misplaced): string {
  const [first = '', second = ''] = texts.map(quoted);
  const tag = short(element);
  if (what === 'overlap') return `The texts ${first} and ${second} overlap: ${tag}`;
  if (what === 'cut') return `The text of ${first} does not fit into its box: ${tag}`;
  if (what === 'touching') return `There is no space between the heading ${first} and the list below it: ${tag}`;
  if (what === 'beyond') return `${first} sticks out of the box that it is in: ${tag}`;
  if (what === 'revealed')
    return `${tag} is shown although it has the attribute hidden, because a rule gives it a display: add [hidden] { display: none !important; }`;
  return `${first} is cut by the edge of the window, and nobody can scroll there: ${tag}`;
}

function unstyled({ what, element, classes: [name], count, texts = [] }: Unstyled): string {
  const tag = short(element);
  switch (what) {
    case 'skip':
      return `The link that skips the header is shown without a style: no style sheet has a rule for ${tag}`;
    case 'button':
      return `A button has no style, unlike others: no style sheet has a rule for ${tag}`;
    case 'drawing':
      return `A drawing lacks its colors: no style sheet has a rule for the class "${name}" of ${count} elements, such as ${tag}`;
    case 'stuck': {
      const [first, second] = texts.map(quoted);
      return `The texts ${first} and ${second} stick together: no style sheet has a rule for ${tag}`;
    }
  }
}

/** Returns the tag of an element, cut to a length that fits into a message. */
export function short(element: string): string {
  return element.length > MAX_ELEMENT ? `${element.slice(0, MAX_ELEMENT)}…` : element;
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return `"${line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line}"`;
}

/** The names in the style sheets of a site, and in its scripts as well. */
interface Named {
  readonly style: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

const known = new WeakMap<ReadonlyMap<string, Uint8Array>, Named>();

/** Returns every name in the style sheets and scripts of a site: files, and those in its pages. */
function namedIn(files: ReadonlyMap<string, Uint8Array>): Named {
  const before = known.get(files);
  if (before) return before;
  const style = new Set<string>();
  const all = new Set<string>();
  for (const [path, content] of files) {
    const text = Buffer.from(content).toString();
    if (/\.(?:css|svg)$/i.test(path)) addNames(text, style);
    else if (/\.m?js$/i.test(path)) addNames(text, all);
    else if (/\.html?$/i.test(path)) {
      for (const { name, inside } of embedded(text)) addNames(inside, name === 'style' ? style : all);
    }
  }
  for (const name of style) all.add(name);
  const named = { style, all };
  known.set(files, named);
  return named;
}

/** Yields the style sheets and scripts in a page. Takes linear time. */
function* embedded(html: string): Generator<{ readonly name: string; readonly inside: string }> {
  const lower = html.toLowerCase();
  const opening = /<(style|script)\b/g;
  for (let tag = opening.exec(lower); tag; tag = opening.exec(lower)) {
    const [, name = ''] = tag;
    const start = lower.indexOf('>', tag.index);
    const end = start === -1 ? -1 : lower.indexOf(`</${name}`, start);
    if (end === -1) return;
    yield { name, inside: html.slice(start + 1, end) };
    opening.lastIndex = end;
  }
}

function addNames(text: string, names: Set<string>): void {
  for (const [name] of text.replaceAll('\\', '').matchAll(/[\w\u0080-\uffff-]+/g)) names.add(name);
}
