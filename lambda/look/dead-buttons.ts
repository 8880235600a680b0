import { keepPlainButtons } from './in-page/controls.js';
import type { Session } from './session.ts';
import type { Tab } from './tab.ts';

const MAX_BUTTONS = 12;
const MAX_KEPT = 60;
/** With which of these, something may happen: a handler of another kind may be that of a drag or of a key. */
const PRESSING = /^(?:click|dblclick|auxclick|contextmenu|mouse|pointer|touch|key|drag|focus|submit)/;

/**
 * Records buttons to which no script listens, on themselves or on anything around them. A page whose scripts failed has others
 * to mend first, and one that asked for scripts elsewhere may have listened with them.
 */
export async function findDeadButtons(tab: Tab): Promise<void> {
  const { record } = tab;
  if (record.hasFailed || record.refused.size > 0) return;
  const isPressed = async (of: string) =>
    (await listeners(tab.session, of)).some((type) => PRESSING.test(type));
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
    if (!heard)
      record.add({ kind: 'hung', message: `The button "${name}" does nothing: no script listens to it` });
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
