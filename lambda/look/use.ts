import { showsSomething } from './in-page/appearance.js';
import { beginTyping, type Control, leaveFields, listControls, reach, setField } from './in-page/controls.js';
import type { Tab } from './tab.ts';

/** Of one kind of control, such as the tabs of a bar: they have names of their own, or are those of a list. */
const MAX_OF_KIND = 6;
const KEYS = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', ' ', 'Enter', 'Escape'];

/** What was used already, at any width. */
export class Used {
  readonly #keys = new Set<string>();
  readonly #kinds = new Map<string, number>();

  /** Returns whether a control is to be used, which it then is. */
  take({ key, markup }: Control): boolean {
    const ofKind = this.#kinds.get(markup) ?? 0;
    if (this.#keys.has(key) || ofKind >= MAX_OF_KIND) return false;
    this.#keys.add(key);
    this.#kinds.set(markup, ofKind + 1);
    return true;
  }
}

/**
 * Uses a page as somebody does who tries everything once: fields, then buttons, then links, then what deletes or closes, then keys.
 * @param url of the page, to which it returns from others
 * @param most how many actions
 */
export async function use(tab: Tab, url: string, used: Used, most: number): Promise<void> {
  const skipped = new Set<string>();
  for (let actions = 0; actions < most; ) {
    const controls = await tab.call(listControls, tab.record.places.home);
    const next = controls.find((control) => !skipped.has(control.key) && used.take(control));
    if (next === undefined) break;
    const documents = tab.documents;
    if (await useControl(tab, next)) actions++;
    else skipped.add(next.key);
    if (tab.documents > documents) await comeBack(tab, url);
  }
}

/** Presses the keys that games are played with, and lets some seconds pass. */
export async function useKeys(tab: Tab): Promise<void> {
  await tab.call(leaveFields);
  for (const key of KEYS)
    await tab.act(`after the key ${key === ' ' ? 'Space' : key}`, () => tab.page.keyboard.press(key));
  tab.record.action = 'after some seconds';
  await tab.advance(3_000);
}

/** Returns whether the control could be used. */
async function useControl(tab: Tab, control: Control): Promise<boolean> {
  const { keyboard, mouse } = tab.page;
  const { index, name, use: how } = control;
  const quoted = `"${tab.record.named(name)}"`;
  const point = await tab.call(reach, index);
  if (point === undefined) return false;
  if (how === 'type') {
    const { value, enter } = await tab.call(beginTyping, index);
    await tab.act(`after typing into ${quoted}`, async () => {
      await keyboard.insertText(value);
      if (enter) await keyboard.press('Enter');
    });
  } else if (how === 'set' || how === 'choose')
    await tab.act(`after a change of ${quoted}`, () => tab.call(setField, index));
  else await tab.act(`after a press of ${quoted}`, () => mouse.click(point.x, point.y));
  return true;
}

/** Lets another page of the site load, then returns. */
async function comeBack(tab: Tab, url: string): Promise<void> {
  if (tab.record.places.fileOf(tab.page.url()) !== undefined) {
    await tab.advance(1_000);
    if (!(await tab.call(showsSomething)) && tab.record.refused.size === 0) {
      const place = tab.record.places.fileOf(tab.page.url());
      tab.record.add({ kind: 'blank', message: 'The page shows nothing', ...(place && { path: place }) });
    }
  }
  await tab.goto(url);
  await tab.advance(1_000);
}
