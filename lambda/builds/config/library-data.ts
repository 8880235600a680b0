import {
  Callback,
  fromLibrary,
  Host,
  ObjectValue,
  Plugin,
  type Position,
  Unknown,
  type Value,
} from './values.ts';

const NAMES_OF_PROTOTYPES = new Set(['__proto__', 'constructor', 'prototype']);
const LIMIT = 50_000;

/** What becomes of values that are not data. */
export interface Conversion {
  /** Called for each expression that is left out. */
  readonly leaveOut: (at: Position) => void;
  /** Returns what a plugin becomes; undefined leaves it out. Without it, plugins are left out. */
  readonly plugin?: (plugin: Plugin) => unknown;
  /** Functions of the project get a function of the library: `theme`. Without it, they are left out. */
  readonly callbacks?: boolean;
}

/**
 * Returns a value as data for a library: without what is not evaluated, and without names that would reach a prototype. Values may share
 * parts, so the data has a limit.
 */
export function libraryData(value: Value, conversion: Conversion): unknown {
  let left = LIMIT;
  return converted(value);

  function converted(part: Value): unknown {
    left -= 1;
    if (left < 0) {
      return undefined;
    }
    if (Array.isArray(part)) {
      const items = part as readonly Value[];
      return items.map(converted).filter((item) => item !== undefined);
    }
    if (part instanceof ObjectValue) {
      const names = [...part.entries].filter(([name]) => !NAMES_OF_PROTOTYPES.has(name));
      const entries = names.map(([name, entry]) => [name, converted(entry)] as const);
      return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
    }
    if (part instanceof Host) {
      return part.passed;
    }
    if (part instanceof Unknown || part instanceof Plugin || part instanceof Callback) {
      const made = special(part);
      if (made === undefined) {
        conversion.leaveOut(part.at);
      }
      return made;
    }
    return part;
  }

  function special(part: Unknown | Plugin | Callback): unknown {
    if (part instanceof Plugin) {
      return conversion.plugin?.(part);
    }
    if (part instanceof Callback && conversion.callbacks) {
      return (theme: unknown) => converted(part.call([hostTheme(theme)]));
    }
    return undefined;
  }
}

/** The argument of a callback of a theme: `theme` itself, of which `theme.theme` is the same function. */
function hostTheme(theme: unknown): Value {
  return typeof theme === 'function' ? new Host(theme, (path) => theme(path)) : fromLibrary(theme);
}
