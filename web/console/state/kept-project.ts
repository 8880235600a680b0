import { isOver, newTurn } from './turn.ts';
import type { Content, Files, OpenProject, Turn } from './types.ts';

/** The format of this release: projects in another one are not opened. */
const FORMAT = 1;

/** Files by path, as indices of `contents`. */
type Indices = ReadonlyMap<string, number>;

/** A project as a browser keeps it: each content once, however many generations have it. */
export interface KeptProject {
  readonly projectId: string;
  readonly format: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** About how much room it takes. */
  readonly bytes: number;
  readonly contents: readonly Content[];
  readonly project: OpenProject<Indices>;
}

/** A larger one is kept without the files of its earlier states, which the service has for a day. */
const MOST_BYTES = 25 * 1_048_576;

/** Returns a project to be kept. Nothing of a password is in it. @param at Unix milliseconds */
export function keptProject(project: OpenProject, at: number): KeptProject {
  const whole = packed(project, at);
  return whole.bytes <= MOST_BYTES ? whole : packed(withoutHistory(project), at);
}

/**
 * Returns a kept project as it was, except for what was under way: a generation that has not ended is as if it had just been sent.
 * @returns undefined if it is of another release
 */
export function openedProject({ format, contents, project }: KeptProject): OpenProject | undefined {
  if (format !== FORMAT) return undefined;
  const opened = withFiles(project, (indices): Files => {
    const files = [...indices].flatMap(([path, index]) => {
      const content = contents[index];
      return content === undefined ? [] : [[path, content] as const];
    });
    return new Map(files);
  });
  return { ...opened, turns: opened.turns.map((turn) => (isOver(turn) ? turn : restarted(turn))) };
}

function restarted(turn: Turn): Turn {
  const { key, id, keyed, startedAt, base } = turn;
  return { ...newTurn(key, turn, startedAt, keyed, base), ...(id !== undefined && { id }) };
}

function packed(project: OpenProject, at: number): KeptProject {
  const known = new Map<Content, number>();
  const indexOf = (content: Content) => {
    const index = known.get(content) ?? known.size;
    known.set(content, index);
    return index;
  };
  const { busy: _, conflict: __, build: ___, place: ____, suggested: _____, ...rest } = project;
  const { sharing } = rest;
  const kept = withFiles(
    { ...rest, ...(sharing && { sharing: { ...sharing, password: '' } }) },
    (files): Indices => new Map([...files].map(([path, content]) => [path, indexOf(content)])),
  );
  const contents = [...known.keys()];
  const bytes = [...contents, ...textsOf(project)].reduce((sum, { length }) => sum + length, 0);
  return { projectId: project.projectId, format: FORMAT, at, bytes, contents, project: kept };
}

/** Returns the long texts of a conversation. */
const textsOf = ({ turns }: OpenProject): readonly string[] =>
  turns.flatMap(({ prompt, changes = [] }) => [prompt, ...changes.map(({ diff = '' }) => diff)]);

function withoutHistory(project: OpenProject): OpenProject {
  const { turns, at, files } = project;
  return {
    ...project,
    turns: turns.map(({ base: _, files: __, ...turn }, index) => ({
      ...turn,
      ...(index === at && !project.edited && { files }),
    })),
  };
}

/** Returns a project whose files are converted, each map once, so that equal ones stay the same. */
function withFiles<A extends object, B>(project: OpenProject<A>, convert: (files: A) => B): OpenProject<B> {
  const converted = new Map<A, B>();
  const of = (files: A): B => {
    const known = converted.get(files) ?? convert(files);
    converted.set(files, known);
    return known;
  };
  const ofSome = (files: A | undefined) => files && of(files);
  const { site, turns, files, safe, build: _, ...rest } = project;
  return {
    ...rest,
    files: of(files),
    safe: ofSome(safe),
    site: site && { ...site, files: ofSome(site.files) },
    turns: turns.map(({ base, ...turn }) => ({
      ...turn,
      files: ofSome(turn.files),
      ...(base && { base: { ...base, files: of(base.files) } }),
    })),
  };
}
