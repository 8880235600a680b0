import type { GenerationEvent } from '../../client/client.ts';
import { printable } from '../table.ts';
import { count, cut, type Paint, sizeOf, spinner, widthOf, wrap } from '../text.ts';

/** The contract's timeout of a provider. */
const BUDGET_SECONDS = 120;
const DOING = { write: 'Writing', repair: 'Correcting' } as const;
/** Sizes stand in one column, in wide terminals not far from the paths. */
const WIDEST_LINE = 60;

type Attempt = Extract<GenerationEvent, { type: 'attempt' }>['data'];

/** Turns the events of a generation into the lines of a terminal, or into the few lines of a log. */
export class Progress {
  readonly #paint: Paint;
  readonly #before: ReadonlySet<string> | undefined;
  readonly #sizes = new Map<string, number>();
  /** When the attempt began, or the wait for one, in milliseconds of the same clock as `now`. */
  #since: number;
  #attempt: Attempt | undefined;
  #planned = 0;

  /** @param before the paths of the project that is changed; undefined for a new project */
  constructor(paint: Paint, now: number, before?: ReadonlySet<string>) {
    this.#paint = paint;
    this.#before = before;
    this.#since = now;
  }

  /** Takes an event, and returns the lines that it adds above the status. */
  lines(event: GenerationEvent, now: number, columns: number): string[] {
    if (event.type === 'plan') this.#planned = event.data.files.length;
    if (event.type === 'attempt') {
      const isNew = this.#begin(event.data, now);
      const failure = failureOf(event.data);
      if (failure !== undefined)
        return wrap(`✗ ${failure}`, columns, '  ').map((line) => this.#paint('red', line));
      return isNew ? [this.#paint('bold', cut(printable(event.data.model), columns))] : [];
    }
    if (event.type !== 'file' && event.type !== 'deleted') return [];
    const { path } = event.data;
    if (event.type === 'deleted') this.#sizes.delete(path);
    else this.#sizes.set(path, event.data.bytes);
    const size = event.type === 'deleted' ? '' : sizeOf(event.data.bytes);
    const room = Math.min(columns, WIDEST_LINE) - size.length - 4;
    const shown = cut(printable(path), room);
    return [
      `${this.#mark(event)} ${shown}${' '.repeat(room - widthOf(shown) + 2)}${this.#paint('dim', size)}`,
    ];
  }

  /** Takes an event, and returns the line that it is worth in a log: that of a failure, a fallback, or a change of a file. */
  logLine(event: GenerationEvent, now: number): string | undefined {
    if (this.#before && (event.type === 'file' || event.type === 'deleted'))
      return `${this.#mark(event)} ${printable(event.data.path)}`;
    if (event.type !== 'attempt') return undefined;
    const isFirst = this.#attempt === undefined;
    const isNew = this.#begin(event.data, now);
    const [failure, model] = [failureOf(event.data), printable(event.data.model)];
    if (failure !== undefined) return `${model}: ${failure}`;
    return isNew && !isFirst ? `Continuing with ${model}` : undefined;
  }

  /** Returns the last line: what happens now, the files so far, and the seconds against the provider's budget. */
  status(now: number, columns: number): string {
    const seconds = Math.floor((now - this.#since) / 1_000);
    if (!this.#attempt) return cut(`${spinner(now)} Waiting for a provider · ${seconds} s`, columns);
    const done = this.#sizes.size;
    const files = this.#planned > done ? `${done} of ${this.#planned} files` : count(done, 'file');
    const size = sizeOf([...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0));
    const time = `${seconds} s of ${BUDGET_SECONDS} s`;
    const parts = [DOING[this.#attempt.kind], ...(done > 0 ? [files, size] : []), time];
    const line = () => `${spinner(now)} ${parts.join(' · ')}`;
    while (parts.length > 2 && widthOf(line()) > columns) parts.splice(-2, 1);
    return cut(line(), columns);
  }

  /** Returns a sign as in a summary of git: `+` for a new file, `~` for a changed one, `-` for a deleted one. */
  #mark({ type, data }: Extract<GenerationEvent, { type: 'file' | 'deleted' }>): string {
    if (!this.#before) return ' ';
    if (type === 'deleted') return '-';
    return this.#before.has(data.path) ? '~' : '+';
  }

  /** Returns whether an attempt of another model begins. */
  #begin(attempt: Attempt, now: number): boolean {
    if (attempt.outcome !== undefined) return false;
    const before = this.#attempt?.model;
    this.#attempt = attempt;
    this.#since = now;
    return attempt.model !== before;
  }
}

/** Returns why an attempt failed, or undefined if it did not. */
function failureOf({ outcome, reason }: Attempt): string | undefined {
  return outcome === undefined || outcome === 'succeeded' ? undefined : printable(reason ?? outcome);
}
