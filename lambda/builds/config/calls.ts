import { posix } from 'node:path';
import {
  Callback,
  fromLibrary,
  Host,
  libraryData,
  ObjectValue,
  Plugin,
  type Position,
  Unknown,
  type Value,
} from './values.ts';

/** The argument of the function in `defineConfig(({ mode }) => …)`. */
const BUILD = fromLibrary({ mode: 'production', command: 'build', isSsrBuild: false, isPreview: false });

/**
 * Returns the result of a call that configuration files are known to make.
 * @param require returns what a specifier stands for
 */
export function resultOfCall(
  callee: Value,
  args: readonly Value[],
  at: Position,
  require: (specifier: string) => Value,
): Value {
  if (callee instanceof Plugin) return new Plugin(callee.name, at, args[0]);
  if (callee instanceof Callback) return callee.call(args);
  if (callee instanceof Host) {
    return typeof args[0] === 'string' && callee.theme ? themeValue(callee.theme, args[0]) : new Unknown(at);
  }
  return callee instanceof Unknown ? resultOfKnown(callee, args, at, require) : new Unknown(at);
}

/** The data that a theme has at a path. Functions are left out: a path such as `colors.constructor` leads to one. */
function themeValue(theme: (path: string) => unknown, path: string): Value {
  const isPlain = !/constructor|prototype|__proto__/.test(path);
  const found = isPlain ? theme(path) : undefined;
  return typeof found === 'function' ? undefined : fromLibrary(found);
}

function resultOfKnown(
  callee: Unknown,
  args: readonly Value[],
  at: Position,
  require: (specifier: string) => Value,
): Value {
  const name = callee.origin.slice(callee.origin.lastIndexOf('.') + 1);
  const [first] = args;
  switch (name) {
    case 'require':
      return typeof first === 'string' ? require(first) : new Unknown(at);
    case 'defineConfig':
      return first instanceof Callback ? first.call([BUILD]) : first;
    case 'resolve':
    case 'join':
      return projectPath(args) ?? new Unknown(at);
    case 'cwd':
      return '/';
    case 'URL':
      return typeof first === 'string' && typeof args[1] === 'string'
        ? urlOf(first, args[1])
        : new Unknown(at);
    case 'fileURLToPath':
      return typeof first === 'string' ? first.replace(/^file:\/\//, '') : new Unknown(at);
    case 'stringify':
      return jsonOf(first) ?? new Unknown(at);
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
