import type { AttemptKind } from '../../contract/responses/generate.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import type {
  ExistingFile,
  Plan,
  PlannedFile,
  ProjectChange,
  UnfinishedFile,
} from '../../stored/projects/stored-project.ts';
import { unwrittenFiles } from '../completeness.ts';
import type { Generation } from '../generation.ts';
import { planOf } from '../generation-log.ts';

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
   * Returns the group whose `index.html` a task needs to see: that of a style sheet. What a build makes of source has
   * no markup in its page.
   */
  markupFor({ group, files }: Task): number | undefined {
    if (this.files.has(PAGE) || !files.some(({ path }) => path.endsWith('.css'))) return undefined;
    const planned = this.plan?.files ?? [];
    if (planned.some(({ path }) => BUILT.test(path))) return undefined;
    const page = planned.find(({ path }) => path === PAGE);
    return page?.group === group ? undefined : page?.group;
  }

  /** Takes the plan of an answer. @returns false if there is one already, or none is wanted */
  adopt(plan: Plan): boolean {
    if (this.plan !== undefined || this.#isChange) return false;
    this.plan = plan;
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
