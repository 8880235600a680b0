import type { Frame } from './places.ts';

/** https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#type-RemoteObject */
interface RemoteValue {
  readonly type: string;
  readonly value?: unknown;
  readonly description?: string | undefined;
  readonly className?: string | undefined;
}

/** https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#type-ExceptionDetails */
interface Thrown {
  readonly text: string;
  readonly url?: string | undefined;
  readonly lineNumber: number;
  readonly columnNumber: number;
  readonly stackTrace?: { readonly callFrames: readonly Frame[] } | undefined;
  readonly exception?: RemoteValue | undefined;
}

/** A page may log megabytes. */
const MAX_TEXT = 2_000;

/** Returns what a console shows of an error that nobody caught, such as `Uncaught TypeError: x is undefined`. */
export function textOfError({ text, exception }: Thrown): string {
  return exception === undefined ? text : `${text} ${textOf(exception)}`;
}

/** Returns the frames of an error, innermost first; where it was found comes last. */
export function framesOf({ url, lineNumber, columnNumber, stackTrace, exception }: Thrown): Frame[] {
  const found = url === undefined ? [] : [{ url, lineNumber, columnNumber }];
  return [...framesOfText(exception?.description ?? ''), ...(stackTrace?.callFrames ?? []), ...found];
}

/** Returns what a console shows of a value: of an error its first line. */
export function textOf({ type, value, description }: RemoteValue): string {
  if (value !== undefined && type !== 'object') return String(value).slice(0, MAX_TEXT);
  return ((description ?? String(value)).slice(0, MAX_TEXT).split('\n    at ')[0] ?? '').trim();
}

/**
 * Returns one line for the arguments of `console.error`. https://console.spec.whatwg.org/#formatter
 */
export function textOfLog(values: readonly RemoteValue[]): string {
  const [first, ...rest] = values;
  if (first?.type !== 'string') return values.map(textOf).join(' ');
  const text = textOf(first).replace(/%[sdifoOc]/g, (specifier) => {
    const next = rest.shift();
    if (next === undefined) return specifier;
    return specifier === '%c' ? '' : textOf(next);
  });
  return [text, ...rest.map(textOf)].join(' ');
}

/** Returns the frames of a stack as V8 writes it: `at f (https://…/app.js:3:14)`. */
function framesOfText(stack: string): Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.slice(0, 20_000).split('\n').slice(1, 50)) {
    const place = line.slice(Math.max(line.lastIndexOf('('), line.lastIndexOf(' ')) + 1).replace(/\)$/, '');
    const [, url, row, column] = /^(https?:\/\/\S{1,2000}?):(\d{1,9}):(\d{1,9})$/.exec(place) ?? [];
    if (url !== undefined)
      frames.push({ url, lineNumber: Number(row) - 1, columnNumber: Number(column) - 1 });
  }
  return frames;
}
