import { isHtml } from '../../sites/paths.ts';
import type { ExistingFile, PlannedFile, WrittenFile } from '../../stored/projects/stored-project.ts';
import { ProjectTree } from '../problems/project-tree.ts';
import { readSources } from '../problems/sources.ts';

/** Shorter names occur in prompts by chance. */
const SHORTEST_NAME = 4;

/** Files that tell little about the code: descriptions, tests and drawings. */
const MINOR =
  /(?:^|\/)(?:readme|license|changelog)[^/]*$|(?:^|\/)tests?\/|\.(?:test|spec)\.\w+$|\.(?:svg|md|txt)$/i;

/** The criteria by which the files of an attempt are chosen. */
export interface Subject {
  /** Text that may name files, by their paths or names. */
  readonly prompt: string;
  /** Sentences about files. */
  readonly problems: readonly string[];
  /** Paths of the files that the generation wrote already. */
  readonly changed: readonly string[];
  /** The planned files that are to be written. */
  readonly unwritten?: readonly PlannedFile[];
}

/**
 * Returns the files whose contents a model needs most, in the order of the project, with at most `room` characters:
 * first those with problems, `index.html`, and those that the subject names; then other pages, and the files that refer
 * to one of these or to an unwritten file, or that these refer to; then the others, the smallest first, because they
 * tell the most for their size.
 */
export function relevantFiles(files: readonly ExistingFile[], subject: Subject, room: number): WrittenFile[] {
  const texts = files.filter((file): file is WrittenFile => file.content !== undefined);
  const unwritten = subject.unwritten?.map(({ path }) => path) ?? [];
  const isNamed = naming(subject);
  const named = texts.filter(({ path }) => isNamed(path)).map(({ path }) => path);
  const near = neighbors(texts, unwritten, new Set([...named, ...unwritten]));
  const rank = ({ path }: WrittenFile) => {
    if (hasProblem(path, subject)) return 0;
    if (path === 'index.html') return 1;
    if (named.includes(path)) return 2;
    if (isHtml(path)) return 3;
    if (MINOR.test(path)) return 6;
    return near.has(path) ? 4 : 5;
  };
  const ranked = texts
    .map((file) => ({ file, rank: rank(file) }))
    .toSorted((a, b) => a.rank - b.rank || a.file.content.length - b.file.content.length);
  const shown = new Set<WrittenFile>();
  let left = room;
  for (const { file } of ranked) {
    if (file.content.length > left) continue;
    left -= file.content.length;
    shown.add(file);
  }
  return texts.filter((file) => shown.has(file));
}

const hasProblem = (path: string, { problems }: Subject) =>
  problems.some((problem) => problem.includes(path));

/** Returns a function that reports if the subject names a file. */
function naming(subject: Subject): (path: string) => boolean {
  const { prompt, changed, unwritten = [] } = subject;
  const text = [prompt, ...unwritten.map(({ purpose }) => purpose)].join('\n').toLowerCase();
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return (
      changed.includes(path) ||
      hasProblem(path, subject) ||
      text.includes(path.toLowerCase()) ||
      (name.length >= SHORTEST_NAME && text.includes(name.toLowerCase()))
    );
  };
}

/**
 * Returns the files that refer to one of the paths, and those that they refer to.
 * @param unwritten paths of files that do not exist yet
 */
function neighbors(
  files: readonly WrittenFile[],
  unwritten: readonly string[],
  of: ReadonlySet<string>,
): Set<string> {
  const tree = new ProjectTree([...files.map(({ path }) => path), ...unwritten]);
  const near = new Set<string>();
  for (const { path, parts } of readSources(files).all) {
    for (const { specifier } of parts.references) {
      const target = tree.target(path, specifier, parts.base);
      const to = target && tree.exact(target);
      if (to === undefined) continue;
      if (of.has(path)) near.add(to);
      if (of.has(to)) near.add(path);
    }
  }
  return near;
}
