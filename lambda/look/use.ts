import { showsSomething } from './in-page/appearance.js';
import {
  beginTyping,
  type Control,
  chooseFile,
  keepPlainButtons,
  leaveFields,
  listControls,
  reach,
  setField,
} from './in-page/controls.js';
import type { Places } from './places.ts';
import type { Session, Tab } from './tab.ts';

/** Controls of one kind, such as the tabs of a bar: they have names of their own, or are those of a list. */
const MAX_OF_KIND = 6;
const KEYS = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', ' ', 'Enter', 'Escape'];

/** The controls that were used already, at any width. */
export class Used {
  readonly #keys = new Set<string>();
  readonly #kinds = new Map<string, number>();
  readonly #opened: ReadonlySet<string>;

  /** @param opened the paths of pages that were opened already: links to them are not pressed */
  constructor(opened: ReadonlySet<string>) {
    this.#opened = opened;
  }

  /** Returns whether a control is to be used, which it then is. */
  take({ key, markup, use, url }: Control, places: Places): boolean {
    if (use === 'link' && url !== undefined && this.#opened.has(places.fileOf(url) ?? '')) return false;
    const ofKind = this.#kinds.get(markup) ?? 0;
    if (this.#keys.has(key) || ofKind >= MAX_OF_KIND) return false;
    this.#keys.add(key);
    this.#kinds.set(markup, ofKind + 1);
    return true;
  }
}

/**
 * Uses a page as somebody does who tries everything once: fields, then buttons, then links, then what deletes or
 * closes, then keys.
 * @param url of the page, to which it returns from others
 * @param most how many actions
 */
export async function use(tab: Tab, url: string, used: Used, most: number): Promise<void> {
  const skipped = new Set<string>();
  for (let actions = 0; actions < most; ) {
    const controls = await tab.call(listControls, tab.record.places.home);
    const next = controls.find((control) => !skipped.has(control.key) && used.take(control, tab.record.places));
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
  if (how === 'file') {
    await tab.act(`after the choice of a file for ${quoted}`, () => tab.call(chooseFile, index));
    return true;
  }
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

const MAX_BUTTONS = 12;
const MAX_KEPT = 60;
/** The events of a press: a handler of another kind may be that of a drag or of a key. */
const PRESSING = /^(?:click|dblclick|auxclick|contextmenu|mouse|pointer|touch|key|drag|focus|submit)/;

/**
 * Records buttons to which no script listens, on themselves or on anything around them. A page whose scripts failed has
 * others to mend first, and one that asked for scripts elsewhere may have listened with them.
 */
export async function findDeadButtons(tab: Tab): Promise<void> {
  const { record } = tab;
  if (record.hasFailed || record.refused.size > 0) return;
  const isPressed = async (of: string) => (await listeners(tab.session, of)).some((type) => PRESSING.test(type));
  const buttons = await tab.call(keepPlainButtons, MAX_BUTTONS);
  if (buttons.length === 0 || (await isPressed('window'))) return;
  const known = new Map<number, boolean>();
  const isHeard = async (index: number) => {
    const heard = known.get(index) ?? (known.size === MAX_KEPT || (await isPressed(`kept[${index}]`)));
    known.set(index, heard);
    return heard;
  };
  for (const { name, path } of buttons) {
    let heard = name === '';
    for (const index of [0, ...path]) heard ||= await isHeard(index);
    if (!heard) record.add({ kind: 'hung', message: `The button "${name}" does nothing: no script listens to it` });
  }
}

/**
 * Returns the types of events that scripts of the page listen to.
 * @param expression `window`, or one of a node in the world of `Session.world`
 */
async function listeners(session: Session, expression: string): Promise<string[]> {
  const isWindow = expression === 'window';
  const world = isWindow ? {} : { contextId: await session.world() };
  let { objectId } = (await session.send('Runtime.evaluate', { expression, ...world })).result;
  if (objectId === undefined) return [];
  // Listeners belong to the world that their object is in.
  if (!isWindow) {
    const { node } = await session.send('DOM.describeNode', { objectId });
    const { object } = await session.send('DOM.resolveNode', { backendNodeId: node.backendNodeId });
    objectId = object.objectId ?? objectId;
  }
  const found = await session.send('DOMDebugger.getEventListeners', { objectId });
  return found.listeners.map(({ type }) => type);
}
