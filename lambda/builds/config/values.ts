import { posix } from 'node:path';
import { valueIn } from '../json.ts';

/**
 * The value of an expression, as far as the evaluator knows it. Objects are maps, so that names are data, and no value
 * is a function, so that nothing in a project can call one.
 */
export type Value = Primitive | readonly Value[] | ObjectValue | Unknown | Callback | Host;
type Primitive = string | number | boolean | null | undefined;

/** The place of an expression. */
export interface Position {
  readonly path: string;
  readonly offset: number;
}

/** Takes a warning about the expression at a place. */
export type Warn = (at: Position, message: string) => void;

/** An object literal, or an object of a library. */
export class ObjectValue {
  readonly entries = new Map<string, Value>();
  /** Where the entries of a literal are. */
  readonly places = new Map<string, Position>();
}

/** An expression that is not evaluated. */
export class Unknown {
  readonly at: Position;
  /**
   * The import that it comes from, such as `vite.defineConfig` or `path.default.resolve`; `global.` without an import.
   */
  readonly origin: string;
  /** The arguments of a call. */
  readonly args: readonly Value[];

  constructor(at: Position, origin = '', args: readonly Value[] = []) {
    this.at = at;
    this.origin = origin;
    this.args = args;
  }
}

/** A regular expression, which is never executed. */
export class RegularExpression extends Unknown {
  readonly source: string;

  constructor(at: Position, source: string) {
    super(at);
    this.source = source;
  }
}

/** A function of the project. */
export class Callback {
  readonly at: Position;
  readonly call: (args: readonly Value[]) => Value;

  constructor(at: Position, call: (args: readonly Value[]) => Value) {
    this.at = at;
    this.call = call;
  }
}

/** A function of Tailwind. Only `theme`, which callbacks of themes get, can be called, with a path. */
export class Host {
  readonly passed: unknown;
  readonly theme: ((path: string) => unknown) | undefined;

  constructor(passed: unknown, theme?: (path: string) => unknown) {
    this.passed = passed;
    this.theme = theme;
  }
}

/** Returns data of a library as a value. Getters are left out: those of Tailwind's colors print warnings. */
export function fromLibrary(data: unknown, depth = 0): Value {
  if (typeof data === 'function') return new Host(data);
  if (typeof data !== 'object' || data === null) return data as Primitive;
  if (depth > 20) return undefined;
  if (Array.isArray(data)) return data.map((item) => fromLibrary(item, depth + 1));
  const object = new ObjectValue();
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(data))) {
    if ('value' in property && property.enumerable) {
      object.entries.set(name, fromLibrary(property.value, depth + 1));
    }
  }
  return object;
}

const NAMES_OF_PROTOTYPES = new Set(['__proto__', 'constructor', 'prototype']);
const LIMIT = 50_000;

/** How values that are not data are converted. */
interface Conversion {
  /** Called for each expression that is left out. */
  readonly leaveOut: (at: Position) => void;
  /** Returns what an expression becomes, such as a plugin; undefined leaves it out. Without it, all are left out. */
  readonly known?: (part: Unknown) => unknown;
  /** Functions of the project get a function of the library: `theme`. Without it, they are left out. */
  readonly callbacks?: boolean;
}

/**
 * Returns a value as data for a library. Omits unevaluated parts, and names that would reach a prototype.
 * Values may share parts, so the data has a limit.
 */
export function libraryData(value: Value, conversion: Conversion): unknown {
  let left = LIMIT;
  return converted(value);

  function converted(part: Value): unknown {
    left -= 1;
    if (left < 0) return undefined;
    if (Array.isArray(part)) {
      const items = part as readonly Value[];
      return items.map(converted).filter((item) => item !== undefined);
    }
    if (part instanceof ObjectValue) {
      const names = [...part.entries].filter(([name]) => !NAMES_OF_PROTOTYPES.has(name));
      const entries = names.map(([name, entry]) => [name, converted(entry)] as const);
      return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
    }
    if (part instanceof Host) return part.passed;
    if (part instanceof Callback && conversion.callbacks)
      return (theme: unknown) => converted(part.call([hostTheme(theme)]));
    if (!(part instanceof Unknown || part instanceof Callback)) return part;
    const made = part instanceof Unknown ? conversion.known?.(part) : undefined;
    if (made === undefined) conversion.leaveOut(part.at);
    return made;
  }
}

/** The argument of a callback of a theme: `theme` itself, of which `theme.theme` is the same function. */
function hostTheme(theme: unknown): Value {
  return typeof theme === 'function' ? new Host(theme, (path) => theme(path)) : fromLibrary(theme);
}

/** The argument of the function in `defineConfig(({ mode }) => …)`. */
const BUILD = fromLibrary({ mode: 'production', command: 'build', isSsrBuild: false, isPreview: false });

/** The parts of the project that calls can reach. */
interface Reach {
  /** Returns the module of a specifier. */
  readonly require: (specifier: string) => Value;
  /** Returns the text of a file. */
  readonly read: (path: string) => string | undefined;
  /** The result of `loadEnv`. */
  readonly variables: Value;
}

/** Returns the result of a call that configuration files are known to make. */
export function resultOfCall(callee: Value, args: readonly Value[], at: Position, reach: Reach): Value {
  if (callee instanceof Callback) return callee.call(args);
  if (callee instanceof Host) {
    return typeof args[0] === 'string' && callee.theme ? themeValue(callee.theme, args[0]) : new Unknown(at);
  }
  return callee instanceof Unknown ? resultOfKnown(callee, args, at, reach) : new Unknown(at);
}

/** The data that a theme has at a path. Functions are left out: a path such as `colors.constructor` leads to one. */
function themeValue(theme: (path: string) => unknown, path: string): Value {
  const isPlain = !/constructor|prototype|__proto__/.test(path);
  const found = isPlain ? theme(path) : undefined;
  return typeof found === 'function' ? undefined : fromLibrary(found);
}

function resultOfKnown(callee: Unknown, args: readonly Value[], at: Position, reach: Reach): Value {
  const name = callee.origin.slice(callee.origin.lastIndexOf('.') + 1);
  const [first] = args;
  switch (name) {
    case 'require':
      return typeof first === 'string' ? reach.require(first) : new Unknown(at);
    case 'defineConfig':
      return first instanceof Callback ? first.call([BUILD]) : first;
    case 'resolve':
    case 'join':
      return projectPath(args) ?? new Unknown(at);
    case 'cwd':
      return '/';
    case 'URL':
      return typeof first === 'string' && typeof args[1] === 'string' ? urlOf(first, args[1]) : new Unknown(at);
    case 'fileURLToPath':
      return typeof first === 'string' ? first.replace(/^file:\/\//, '') : new Unknown(at);
    case 'stringify':
      return jsonOf(first) ?? new Unknown(at);
    case 'parse':
      return parsedJson(first) ?? new Unknown(at);
    case 'readFileSync':
      return (typeof first === 'string' ? reach.read(first) : undefined) ?? new Unknown(at);
    case 'loadEnv':
      return reach.variables ?? new Unknown(at);
    default:
      return new Unknown(at, callee.origin, args);
  }
}

/** The path that `path.resolve` returns if the project is the root of the file system. */
function projectPath(args: readonly Value[]): string | undefined {
  const parts = args.filter((part) => typeof part === 'string');
  return parts.length === args.length ? posix.resolve('/', ...parts) : undefined;
}

function urlOf(relative: string, base: string): string | undefined {
  return URL.canParse(relative, base) ? new URL(relative, base).href : undefined;
}

/** `JSON.stringify` of data that is known completely. */
function jsonOf(value: Value): string | undefined {
  let isComplete = !(value instanceof ObjectValue && value.entries.size > 1000);
  const data = libraryData(value, {
    leaveOut: () => {
      isComplete = false;
    },
  });
  return isComplete ? JSON.stringify(data) : undefined;
}

/** `JSON.parse` of a text that is known, such as that of package.json. */
const parsedJson = (text: Value) => (typeof text === 'string' ? fromLibrary(valueIn(text)) : undefined);
