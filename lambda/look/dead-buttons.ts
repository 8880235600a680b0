import { keepPlainButtons } from './in-page/controls.js';
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
  if (tab.hasFailed || tab.refused.size > 0) return;
  const isPressed = async (of: string) => (await tab.listeners(of)).some((type) => PRESSING.test(type));
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
      tab.add({ kind: 'hung', message: `The button "${name}" does nothing: no script listens to it` });
  }
}
