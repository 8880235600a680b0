import { randomUUID } from 'node:crypto';
import type { Client, GenerateRequest, GenerationEvent, Project } from '../../client/client.ts';
import { foundBy } from '../../lambda/mcp/looks.ts';
import { LiveLines } from '../../terminal/live-lines.ts';
import { InterruptedError } from '../../terminal/program.ts';
import {
  clock,
  count,
  cut,
  type Paint,
  painter,
  printable,
  sizeOf,
  spinner,
  success,
  widthOf,
  wrap,
} from '../../terminal/text.ts';
import type { Context } from './context.ts';
import type { ProjectOutput } from './project-output.ts';

/** Gives the files of a generation to `output`, and shows its progress. Ctrl-C cancels it. */
export async function follow(
  client: Client,
  request: GenerateRequest,
  token: string | undefined,
  output: ProjectOutput,
  name: string,
  context: Context,
): Promise<Project> {
  const { duration } = request;
  const progress = new Progress(painter(context.color), performance.now(), {
    duration,
    before: output.before,
  });
  const live = context.isLive
    ? new LiveLines(context.stderr, (columns) => progress.status(performance.now(), columns))
    : undefined;
  const show = (event: GenerationEvent) => {
    if (live) return live.print(progress.lines(event, live.columns));
    const line = progress.logLine(event);
    if (line !== undefined) context.say(line);
  };
  // With its key, the generation can be found even if Ctrl-C comes before the response that has its id.
  const options = { idempotencyKey: randomUUID(), token };
  const generation = client.generate(request, { ...options, signal: context.signal });
  try {
    for await (const event of generation) {
      if (event.type === 'file') output.take(event.data.path, contentOf(event.data));
      show(event);
    }
    const project = await generation;
    output.finish(new Map(project.files.map((file) => [file.path, contentOf(file)])));
    live?.stop();
    const how = `by ${printable(project.model)} in ${(project.duration / 1_000).toFixed(1)} s`;
    context.say(success(`${output.summary()} in ${name}, ${how}`, context));
    return project;
  } catch (error) {
    live?.stop();
    const left = output.left();
    if (!context.signal.aborted) {
      if (left !== undefined) context.say(`Kept ${left} in ${name}`);
      throw error;
    }
    context.say(left === undefined ? 'Canceling the generation' : `Canceling; kept ${left} in ${name}`);
    const id = await generation.id.catch(() => client.generate(request, options).id);
    await client.generations.cancel(id).catch(() => {});
    throw new InterruptedError();
  }
}

/** Returns the bytes of a file. */
export const contentOf = ({ content, encoding }: Pick<Project['files'][number], 'content' | 'encoding'>) =>
  Buffer.from(content, encoding ?? 'utf-8');

type Duration = NonNullable<GenerateRequest['duration']>;
type Attempt = Extract<GenerationEvent, { type: 'attempt' }>['data'];
type LookData = Extract<GenerationEvent, { type: 'look' }>['data'];

/** The longest that a generation takes, in milliseconds. */
const LIMIT_MS: Readonly<Record<Duration, number>> = { auto: 360_000, '5min': 300_000, '10min': 600_000 };
const DOING = { write: 'Writing', repair: 'Correcting', review: 'Reviewing' } as const;

interface ProgressOptions {
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
  #isLooking = false;
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
    if (event.type === 'look') return this.#lookLines(event.data, columns);
    if (event.type === 'attempt') return this.#attemptLines(event.data, columns);
    if (event.type !== 'file' && event.type !== 'deleted') return [];
    const { path } = event.data;
    this.#writing = this.#writing.filter((file) => file.path !== path);
    if (event.type === 'deleted') this.#sizes.delete(path);
    else this.#sizes.set(path, event.data.bytes);
    return [fileLine(this.#mark(event), path, this.#sizes.get(path), columns, this.#paint)];
  }

  /**
   * Takes an event, and returns the line that it is worth in a log: that of a failure, a fallback, a change of a file,
   * or what a browser found.
   */
  logLine(event: GenerationEvent): string | undefined {
    if (this.#before && (event.type === 'file' || event.type === 'deleted'))
      return `${this.#mark(event)} ${printable(event.data.path)}`;
    if (event.type === 'look') return isTrouble(event.data) ? sentenceOf(event.data) : undefined;
    if (event.type !== 'attempt') return undefined;
    const isFirst = this.#attempt === undefined;
    const model = printable(event.data.model);
    if (event.data.outcome === undefined)
      return this.#begins(event.data) && !isFirst ? `Continuing with ${model}` : undefined;
    if (event.data.dropped) return droppedLine(event.data);
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
    const doing = this.#isLooking ? 'Looking at it' : DOING[this.#attempt.kind];
    const choices = done > 0 ? [[files, size, limited], [files, limited], [files, time], [time]] : [[limited]];
    const [line = ''] = choices
      .map((parts) => [`${spinner(now)} ${doing}`, ...parts].join(' · '))
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
    if (attempt.dropped) return this.#notice(droppedLine(attempt), columns);
    const failure = failureOf(attempt);
    if (failure === undefined || !this.#isNew(`${model}: ${failure}`)) return [];
    const whose = model === this.#heading ? '' : `${model}: `;
    return wrap(`✗ ${whose}${failure}`, columns, '  ').map((line) => this.#paint('red', line));
  }

  #lookLines(look: LookData, columns: number): string[] {
    this.#isLooking = look.state === 'looking';
    if (this.#isLooking) return [];
    if (isTrouble(look)) return this.#notice(sentenceOf(look), columns);
    const mark = look.state === 'looked' ? '✓' : '·';
    return wrap(`${mark} ${sentenceOf(look)}`, columns, '  ').map((line) => this.#paint('dim', line));
  }

  #notice(text: string, columns: number): string[] {
    return wrap(`! ${text}`, columns, '  ').map((line) => this.#paint('yellow', line));
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
    this.#isLooking = false;
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

const droppedLine = ({ reason = 'the project was better without them' }: Attempt) =>
  `Changes dropped: ${printable(reason)}`;

/** Reports if a browser found problems, or failed where it should have looked. */
const isTrouble = ({ state, problems = [] }: LookData) => state === 'failed' || problems.length > 0;

/** Returns what became of a look that is over. */
function sentenceOf(look: LookData): string {
  const { state, reason = '' } = look;
  if (state === 'looked') return `Looked at it: ${printable(foundBy(look))}`;
  const what = state === 'failed' ? 'The browser could not look at it' : 'No browser looked at it';
  return `${what}: ${printable(reason)}`;
}

type Writing = Extract<GenerationEvent, { type: 'writing' }>['data']['files'];

/** Sizes stand in one column, in wide terminals not far from the paths. */
const WIDEST = 60;
/** Lines for the files that are being written. */
const MOST = 6;

/** Returns the line of a complete or, without bytes, deleted file. */
function fileLine(mark: string, path: string, bytes: number | undefined, columns: number, paint: Paint) {
  const size = bytes === undefined ? '' : sizeOf(bytes);
  return `${mark} ${padLine(path, size, columns)}${paint('dim', size)}`;
}

/** Returns a line for each file that is being written, with its size so far. */
function growingLines(files: Writing, columns: number, paint: Paint): string[] {
  const shown = files.length > MOST ? files.slice(0, MOST - 1) : files;
  const lines = shown.map(({ path, characters }) => {
    const size = sizeOf(characters);
    return `⋯ ${padLine(path, size, columns)}${size}`;
  });
  if (shown.length < files.length) lines.push(`⋯ and ${files.length - shown.length} more`);
  return lines.map((line) => paint('dim', line));
}

/** Returns a path with spaces up to its size, which ends in the same column for all files. */
function padLine(path: string, size: string, columns: number): string {
  const room = Math.min(columns, WIDEST) - size.length - 4;
  const shown = cut(printable(path), room);
  return shown + ' '.repeat(room - widthOf(shown) + 2);
}
