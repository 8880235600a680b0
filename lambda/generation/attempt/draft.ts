import type { ProviderName } from '../../contract/generate.ts';
import type { AttemptKind } from '../../contract/responses/generate.ts';
import type { DataFeatures } from '../../contract/site-features.ts';
import { isHtml } from '../../sites/paths.ts';
import { projectKind } from '../../sites/source/kind.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import type { FileContents, ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import {
  deletedOf,
  type ExistingFile,
  type Plan,
  type PlannedFile,
  type ProjectChange,
  type UnfinishedFile,
} from '../../stored/projects/stored-project.ts';
import { leftOut, unbuiltOf, unfinishedFiles, unwrittenFiles } from '../completeness.ts';
import type { Attempt, Generation } from '../generation.ts';
import { attemptsOf, droppedLast, imagesOf, lastLook, planOf, seenProblems, writtenFiles } from '../generation-log.ts';
import type { AttemptRequest } from '../providers/provider.ts';
import { flawsOf } from './quality.ts';

/** The part of a project that one attempt writes. */
export interface Task {
  readonly kind: AttemptKind;
  /** The group of the plan; undefined for a project without groups. */
  readonly group: number | undefined;
  /** The planned files to write; empty without a plan. */
  readonly files: readonly PlannedFile[];
}

/**
 * Returns how many attempts may run at the same time: each overload in the course of a generation takes one from it.
 */
export function slotsOf({ log }: Pick<Generation, 'log'>, parallel: number): number {
  const overloads = log.filter((event) => event.type === 'attempt' && event.outcome === 'overloaded');
  return Math.max(1, parallel - overloads.length);
}

/**
 * Returns what a generation needs next: with several slots a task for each group of its plan that is not written yet,
 * otherwise a single one.
 */
export function tasksOf(generation: Pick<Generation, 'log' | 'kind'>, slots: number): [Task, ...Task[]] {
  if (generation.kind !== 'write') return [{ kind: generation.kind, group: undefined, files: [] }];
  const files = unwrittenFiles(generation);
  const whole: Task = { kind: 'write', group: undefined, files };
  const [first, ...others] = slots > 1 ? groupTasks(files) : [];
  return first ? [first, ...others] : [whole];
}

/** Returns a task for each group of planned files, in the order of the groups. */
export function groupTasks(files: readonly PlannedFile[]): Task[] {
  const groups = Map.groupBy(files, ({ group }) => group);
  const tasks = Array.from(groups, ([group, files]): Task => ({ kind: 'write', group, files }));
  return tasks.toSorted((a, b) => (a.group ?? 0) - (b.group ?? 0));
}

const PAGE = 'index.html';
/** A file that only projects with a build have. */
const BUILT = /^vite\.config\.|\.(?:[jt]sx|ts|vue|svelte)$/;

/** The project as the attempts of a round write it: its plan, its files so far, and those that are not finished. */
export class Draft {
  readonly files: Map<string, string | Uint8Array>;
  plan: Plan | undefined;
  readonly #isChange: boolean;
  readonly #unfinished: Map<string, UnfinishedFile>;

  /** @param unfinished the files that attempts of earlier rounds did not finish */
  constructor(generation: Generation, project: ProjectContents, unfinished: readonly UnfinishedFile[]) {
    this.files = new Map(project);
    this.plan = planOf(generation);
    this.#isChange = generation.base !== undefined || generation.kind !== 'write';
    this.#unfinished = new Map(unfinished.map((file) => [file.path, file]));
  }

  /**
   * The files for a request: the planned ones in the order of the plan, whatever order they arrived in, so that equal
   * requests are equal for the caches of vendors.
   */
  get existing(): ExistingFile[] {
    const order = new Map(this.plan?.files.map(({ path }, place) => [path, place]));
    const placeOf = (path: string) => order.get(path) ?? order.size;
    return Array.from(this.files, ([path, content]) => ({
      path,
      content: typeof content === 'string' ? content : undefined,
    })).toSorted((a, b) => placeOf(a.path) - placeOf(b.path));
  }

  /**
   * Returns the group whose `index.html` a task needs to see: one with a style sheet, or with another page, which has the
   * same header. What a build makes of source has no markup in its page.
   */
  markupFor({ group, files }: Task): number | undefined {
    if (this.files.has(PAGE) || !files.some(({ path }) => path.endsWith('.css') || isHtml(path))) return undefined;
    const planned = this.plan?.files ?? [];
    if (planned.some(({ path }) => BUILT.test(path))) return undefined;
    const page = planned.find(({ path }) => path === PAGE);
    return page?.group === group ? undefined : page?.group;
  }

  /** Takes the plan of an answer. @returns false if there is one already, or none is wanted */
  adopt(plan: Plan): boolean {
    if (this.plan !== undefined || this.#isChange) return false;
    this.plan = plan.files.length > 0 ? plan : undefined;
    return true;
  }

  /**
   * Takes the changes of an attempt. @returns those that are kept: of a file of another group, that group's version is
   * right
   */
  take(changes: readonly ProjectChange[], group: number | undefined): ProjectChange[] {
    const own = changes.filter(({ path }) => !this.isForeign(path, group));
    for (const { path, content } of own) {
      this.#unfinished.delete(path);
      if (content === null) this.files.delete(path);
      else this.files.set(path, content);
    }
    return own;
  }

  /** Whether a file is planned for another group. */
  isForeign(path: string, group: number | undefined): boolean {
    const planned = this.plan?.files.find((file) => file.path === path);
    return group !== undefined && planned !== undefined && planned.group !== group;
  }

  /**
   * Takes an unfinished file. Of a planned project, only planned files are continued; and another attempt may have
   * finished the file in the meantime.
   * @returns whether it is to be continued
   */
  takeUnfinished(file: UnfinishedFile): boolean {
    const { path } = file;
    const isPlanned = this.plan?.files.some((planned) => planned.path === path) ?? true;
    const isNeeded = this.#isChange || (isPlanned && !this.files.has(path));
    if (isNeeded) this.#unfinished.set(path, file);
    return isNeeded;
  }

  /** Returns the file that an attempt for a task is to continue. */
  unfinishedOf({ files }: Task): UnfinishedFile | undefined {
    const candidates = Array.from(this.#unfinished.values());
    if (files.length === 0) return candidates.at(-1);
    return candidates.find(({ path }) => files.some((file) => file.path === path));
  }

  /** Returns what is left of a task; undefined if that is nothing, or unknown because there is no plan. */
  restOf(task: Task): Task | undefined {
    const files = task.files.filter(({ path }) => !this.files.has(path));
    return files.length === 0 ? undefined : { ...task, files };
  }
}

/** The parts of a request that do not change in the course of a round. */
export type StaticRequest = Omit<AttemptRequest, 'files' | 'plan' | 'unwritten' | 'unfinished' | 'parallel' | 'pace'>;

/**
 * Returns what the attempts of a round ask for.
 * @param base the project before the generation
 * @param project the project before the round
 * @param data what the data of the site can do
 * @param screenshots the pictures for a review
 */
export function staticRequest(
  { kind }: Pick<Task, 'kind'>,
  generation: Generation,
  base: ProjectContents,
  project: ProjectContents,
  data: DataFeatures | undefined,
  screenshots?: AttemptRequest['screenshots'],
): StaticRequest {
  const { prompt, duration, createdAt, locked = [], origin, provider } = generation;
  const edits = generation.base !== undefined;
  const images = imagesOf(generation).map(({ path }) => ({ path, content: project.get(path) ?? '' }));
  const amends = kind !== 'write';
  return {
    prompt,
    duration,
    kind,
    edits,
    source: namesSource(prompt) || projectKind(project).kind === 'source',
    data,
    amends: edits || amends,
    date: createdAt,
    images,
    origin,
    locked: [...locked, ...images.map(({ path }) => path)],
    changed: [...writtenFiles(generation).map(({ path }) => path), ...deletedOf(generation)],
    screenshots,
    reminder: reminderOf(attemptsOf(generation).at(-1), provider),
    problems: amends
      ? [
          ...flawsOf(project, base, data),
          ...unbuiltOf(generation),
          ...leftOut(generation),
          ...seenProblems(generation),
          ...droppedLast(generation),
        ]
      : [],
  };
}

/** Returns why the last answer was not usable, if the same provider is asked once more. */
function reminderOf(last: Attempt | undefined, provider: ProviderName): string | undefined {
  return last?.outcome === 'unusable' && last.provider === provider ? last.reason : undefined;
}

/**
 * Returns the request of one attempt.
 * @param draft the project as it is when the attempt begins
 * @param parallel how many attempts may run at the same time
 * @param pace characters per second of the provider, if it is known
 */
export function attemptRequest(
  task: Task,
  fixed: StaticRequest,
  draft: Draft,
  parallel: number,
  pace: number | undefined,
): AttemptRequest {
  return {
    ...fixed,
    files: draft.existing,
    plan: draft.plan,
    unwritten: task.files,
    unfinished: draft.unfinishedOf(task),
    parallel,
    pace,
  };
}

/** Reads the files that attempts of earlier rounds did not finish. */
export function readUnfinished(
  generation: Pick<Generation, 'log'>,
  files: Pick<FileContents, 'content'>,
): Promise<UnfinishedFile[]> {
  return Promise.all(
    unfinishedFiles(generation).map(async ({ path, edits, key }) => {
      const content = await files.content({ key });
      return { path, edits, lines: String(content).split('\n') };
    }),
  );
}

/** Reads the pictures of the page as it is. */
export async function readScreenshots(
  generation: Pick<Generation, 'id' | 'status' | 'log'>,
  files: Pick<ProjectFileStore, 'look'>,
): Promise<AttemptRequest['screenshots']> {
  const last = lastLook(generation);
  return last && (await files.look(generation.id, last.attempt))?.screenshots;
}

/**
 * Names of technologies that need a build, as requests write them. Several are words as well: "cards that react", a
 * French "vue", "solid" colours, a "lit" scene, the tailwind of a plane. Those count with a capital inside of a
 * sentence, after a preposition, or with what only a framework has.
 */
const NAMES: readonly RegExp[] = [
  /\b(?:typescript|tsx|jsx|shadcn|preact|vite|tailwind ?css|reactjs|vuejs|solid-?js|sveltekit|litelement|lit-(?:element|html))\b/gi,
  /\b(?:react|vue|svelte|solid|preact|lit)(?:\.js|[ -]?(?:v(?:ersion)? ?)?\d| (?:apps?|components?|hooks?|spa|project|single-page))\b/gi,
  /(?<=\w[,;]? |[(/+"'`])(?:React|Vue|Svelte|Tailwind)\b/g,
  /(?<=\b(?:in|using|mit|en|con|em|com|avec) (?:plain )?)(?:react|svelte|tailwind|Solid|Lit)\b/g,
  /(?<=\b(?:with|and|und|y|e|et) )(?:react|svelte)(?=$|[\s,.;:!?)]+(?:$|and\b|und\b|y\b|e\b|et\b|tailwind))/g,
];

/** The words before a name that the request does not want, or that is only its subject. */
const UNWANTED =
  /\b(?:no|not|without|avoid|never|instead of|rather than|ohne|kein\w*|nicht|statt|sans|pas de|sin|sem|about|learn(?:ing)?|über|sobre)(?: (?:use|using|any|the|a|der|die|das))? *$/i;
/** Between two names of one list. */
const LISTED = /^[\s,/&+]*(?:and|or|nor|und|oder|et|ou|ni|y|o|e)?\s*$/i;

/**
 * Reports if a request may want a project that is built: it names React, Vue, Svelte, Solid, Preact, Lit, TypeScript,
 * Tailwind or shadcn, and not as what it does without. Conservative, because the instructions about such projects cost
 * tokens.
 */
export function namesSource(prompt: string): boolean {
  const mentions = NAMES.flatMap((name) =>
    Array.from(prompt.matchAll(name), ({ 0: text, index }) => ({ text, index })),
  );
  let end = 0;
  let unwanted = false;
  for (const { text, index } of mentions.toSorted((a, b) => a.index - b.index)) {
    const before = prompt.slice(Math.max(0, end, index - 40), index);
    unwanted = UNWANTED.test(before) || (unwanted && end > 0 && LISTED.test(prompt.slice(end, index)));
    if (!unwanted) return true;
    end = Math.max(end, index + text.length);
  }
  return false;
}
