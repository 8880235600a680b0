import type { GenerateRequest, GenerationEvent } from '../../client/client.ts';
import { printable } from '../../terminal/table.ts';
import { clock, count, cut, type Paint, sizeOf, spinner, widthOf, wrap } from '../../terminal/text.ts';
import { fileLine, growingLines, type Writing } from './file-lines.ts';

type Duration = NonNullable<GenerateRequest['duration']>;
type Attempt = Extract<GenerationEvent, { type: 'attempt' }>['data'];

/** The longest that a generation takes, in milliseconds. */
const LIMIT_MS: Readonly<Record<Duration, number>> = { auto: 360_000, '5min': 300_000, '10min': 600_000 };
const DOING = { write: 'Writing', repair: 'Correcting', review: 'Reviewing' } as const;

export interface ProgressOptions {
  readonly duration?: Duration | undefined;
  /** The paths of the project that is changed; undefined for a new project. */
  readonly before?: ReadonlySet<string> | undefined;
}

/** Turns the events of a generation into the lines of a terminal, or into the few lines of a log. */
export class Progress {
  readonly #paint: Paint;
  readonly #before: ReadonlySet<string> | undefined;
  readonly #limitMs: number;
  /** When the generation began, in milliseconds of the same clock as `now`. */
  readonly #since: number;
  readonly #sizes = new Map<string, number>();
  /** The models and failures that were shown: attempts at the same time have the same. */
  readonly #sent = new Set<string>();
  #writing: Writing = [];
  #attempt: Attempt | undefined;
  #planned = 0;
  /** The model that was shown last. */
  #heading = '';

  constructor(paint: Paint, now: number, { duration = 'auto', before }: ProgressOptions = {}) {
    this.#paint = paint;
    this.#before = before;
    this.#limitMs = LIMIT_MS[duration];
    this.#since = now;
  }

  /** Takes an event, and returns the lines that it adds above the status. */
  lines(event: GenerationEvent, columns: number): string[] {
    if (event.type === 'plan') this.#planned = event.data.files.length;
    if (event.type === 'writing') this.#writing = event.data.files;
    if (event.type === 'attempt') return this.#attemptLines(event.data, columns);
    if (event.type !== 'file' && event.type !== 'deleted') return [];
    const { path } = event.data;
    this.#writing = this.#writing.filter((file) => file.path !== path);
    if (event.type === 'deleted') this.#sizes.delete(path);
    else this.#sizes.set(path, event.data.bytes);
    return [fileLine(this.#mark(event), path, this.#sizes.get(path), columns, this.#paint)];
  }

  /** Takes an event, and returns the line that it is worth in a log: that of a failure, a fallback, or a change of a file. */
  logLine(event: GenerationEvent): string | undefined {
    if (this.#before && (event.type === 'file' || event.type === 'deleted'))
      return `${this.#mark(event)} ${printable(event.data.path)}`;
    if (event.type !== 'attempt') return undefined;
    const isFirst = this.#attempt === undefined;
    const model = printable(event.data.model);
    if (event.data.outcome === undefined)
      return this.#begins(event.data) && !isFirst ? `Continuing with ${model}` : undefined;
    const failure = failureOf(event.data);
    const line = `${model}: ${failure}`;
    return failure !== undefined && this.#isNew(line) ? line : undefined;
  }

  /** Returns the last lines: the files that are being written, and what happens now with its time against the limit. */
  status(now: number, columns: number): string[] {
    const time = clock(now - this.#since);
    if (!this.#attempt) return [cut(`${spinner(now)} Waiting for a provider · ${time}`, columns)];
    const done = this.#sizes.size;
    const files = this.#planned > done ? `${done} of ${this.#planned} files` : count(done, 'file');
    const size = sizeOf([...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0));
    const limited = `${time} of ${clock(this.#limitMs)}`;
    const { kind } = this.#attempt;
    const choices =
      done > 0 ? [[files, size, limited], [files, limited], [files, time], [time]] : [[limited]];
    const [line = ''] = choices
      .map((parts) => [`${spinner(now)} ${DOING[kind]}`, ...parts].join(' · '))
      .filter((text, i) => widthOf(text) <= columns || i === choices.length - 1);
    return [...growingLines(this.#writing, columns, this.#paint), cut(line, columns)];
  }

  #attemptLines(attempt: Attempt, columns: number): string[] {
    const model = printable(attempt.model);
    if (attempt.outcome === undefined) {
      if (!this.#begins(attempt)) return [];
      this.#heading = model;
      return [this.#paint('bold', cut(model, columns))];
    }
    const failure = failureOf(attempt);
    if (failure === undefined || !this.#isNew(`${model}: ${failure}`)) return [];
    const whose = model === this.#heading ? '' : `${model}: `;
    return wrap(`✗ ${whose}${failure}`, columns, '  ').map((line) => this.#paint('red', line));
  }

  /** Returns a sign as in a summary of git: `+` for a new file, `~` for a changed one, `-` for a deleted one. */
  #mark({ type, data }: Extract<GenerationEvent, { type: 'file' | 'deleted' }>): string {
    if (!this.#before) return ' ';
    if (type === 'deleted') return '-';
    return this.#before.has(data.path) ? '~' : '+';
  }

  /** Returns whether an attempt is the first one of its model. */
  #begins(attempt: Attempt): boolean {
    this.#attempt = attempt;
    return this.#isNew(attempt.model);
  }

  #isNew(text: string): boolean {
    const isNew = !this.#sent.has(text);
    this.#sent.add(text);
    return isNew;
  }
}

/** Returns why an attempt failed, or undefined if it did not: one that is cut off is continued by another one. */
function failureOf({ outcome, reason }: Attempt): string | undefined {
  if (outcome === undefined || outcome === 'succeeded' || outcome === 'cut_off') return undefined;
  return printable(reason ?? outcome);
}
