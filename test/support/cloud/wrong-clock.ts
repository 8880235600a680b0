import type { Edit } from './variant.ts';

const MODULE = new URL('../wrong-clock.js', import.meta.url).href;

/** Shifts the clocks of functions by `ms`. @param functions matches their logical ids */
export function shiftClocks(ms: number, functions: RegExp): Edit {
  return (properties, type, id) => {
    if (type !== 'AWS::Lambda::Function' || !functions.test(id)) return;
    const { Variables } = (properties.Environment ?? {}) as { Variables?: Record<string, string> };
    if (!Variables) return;
    Variables.NODE_OPTIONS = `--import=${MODULE}`;
    Variables.CLOCK_OFFSET_MS = String(ms);
  };
}
