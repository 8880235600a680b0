import type { GenerationEvent } from '../../client/client.ts';
import { clean, count, cut, type Paint, sizeOf, spinner, widthOf, wrap } from './text.ts';

/** The contract's timeout of a provider. */
const BUDGET_SECONDS = 120;
const DOING = { plan: 'Planning', write: 'Writing', repair: 'Correcting' } as const;
/** Sizes stand in one column, in wide terminals not far from the paths. */
const WIDEST_LINE = 60;

type Attempt = Extract<GenerationEvent, { type: 'attempt' }>['data'];

/** Turns the events of a generation into the lines of a terminal, or into the few lines of a log. */
export class Progress {
  readonly #paint: Paint;
  readonly #sizes = new Map<string, number>();
  /** Milliseconds of the same clock as `now`. */
  #since: number;
  #attempt: Pick<Attempt, 'model' | 'kind'> | undefined;
  #planned = 0;

  constructor(paint: Paint, now: number) {
    this.#paint = paint;
    this.#since = now;
  }

  /** Returns the lines that an event adds above the status: at most `columns` wide, where words permit. */
  lines(event: GenerationEvent, now: number, columns: number): string[] {
    const paint = this.#paint;
    if (event.type === 'attempt') {
      const { model, outcome } = event.data;
      const isNew = model !== this.#attempt?.model;
      if (outcome === undefined) this.#begin(event.data, now);
      if (outcome === undefined) return isNew ? [paint('bold', cut(clean(model), columns))] : [];
      const failure = failureOf(event.data);
      return failure === undefined
        ? []
        : wrap(`✗ ${failure}`, columns, '  ')
            .split('\n')
            .map((line) => paint('red', line));
    }
    if (event.type === 'plan') this.#planned = event.data.files.length;
    if (event.type !== 'file') return [];
    const { path, bytes } = event.data;
    this.#sizes.set(path, bytes);
    const size = sizeOf(bytes);
    const room = Math.min(columns, WIDEST_LINE) - size.length - 4;
    const shown = cut(clean(path), room);
    return [`  ${shown}${' '.repeat(room - widthOf(shown) + 2)}${paint('dim', size)}`];
  }

  /** Returns the line that an event is worth in a log: only what a reader would not expect. */
  logLine(event: GenerationEvent, now: number): string | undefined {
    if (event.type !== 'attempt') return undefined;
    const { model, outcome } = event.data;
    const before = this.#attempt?.model;
    if (outcome === undefined) {
      this.#begin(event.data, now);
      return before === undefined || before === model ? undefined : `Continuing with ${clean(model)}`;
    }
    const failure = failureOf(event.data);
    return failure && `${clean(model)}: ${failure}`;
  }

  /** Returns the last line: what happens now, the files so far, and the seconds against the provider's budget. */
  status(now: number, columns: number): string {
    const seconds = Math.floor((now - this.#since) / 1_000);
    const turn = spinner(now);
    if (!this.#attempt) return cut(`${turn} Waiting for a provider · ${seconds} s`, columns);
    const done = this.#sizes.size;
    const files = this.#planned > done ? `${done} of ${this.#planned} files` : count(done, 'file');
    const bytes = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    const time = `${seconds} s of ${BUDGET_SECONDS} s`;
    const doing = DOING[this.#attempt.kind];
    const choices = [
      [doing, files, sizeOf(bytes), time],
      [doing, files, time],
      [doing, time],
    ].map((parts) => `${turn} ${parts.join(' · ')}`);
    return choices.find((line) => widthOf(line) <= columns) ?? cut(time, columns);
  }

  #begin({ model, kind }: Attempt, now: number): void {
    this.#attempt = { model, kind };
    this.#since = now;
  }
}

/** Returns why an attempt failed, or undefined if it did not. */
function failureOf({ outcome, reason }: Attempt): string | undefined {
  if (outcome === undefined || outcome === 'succeeded') return undefined;
  return clean(reason ?? outcome.replace('_', ' '));
}
