import { isHtml } from '../../sites/paths.ts';
import type { ExistingFile, WrittenFile } from '../../stored/projects/stored-project.ts';
import { ProjectTree } from '../problems/project-tree.ts';
import { readSources } from '../problems/sources.ts';

/** Shorter names occur in prompts by chance. */
const SHORTEST_NAME = 4;

/** The criteria by which the files of an attempt are chosen. */
export interface Subject {
  readonly prompt: string;
  /** Sentences about files. */
  readonly problems: readonly string[];
  /** Paths of the files that the generation wrote already. */
  readonly changed: readonly string[];
}

/**
 * Returns the files whose contents a model needs most for a change, in the order of the project, with at most `room`
 * characters: first those that the prompt or a problem names or that were changed already, then the pages and what
 * those refer to or are referred to by, then the smallest.
 */
export function relevantFiles(files: readonly ExistingFile[], subject: Subject, room: number): WrittenFile[] {
  const texts = files.filter((file): file is WrittenFile => file.content !== undefined);
  const named = texts.filter(({ path }) => isNamed(path, subject)).map(({ path }) => path);
  const near = neighbors(texts, new Set(named));
  const rank = ({ path }: WrittenFile) => {
    if (named.includes(path)) return 0;
    if (isHtml(path)) return 1;
    return near.has(path) ? 2 : 3;
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

function isNamed(path: string, { prompt, problems, changed }: Subject): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const text = prompt.toLowerCase();
  return (
    changed.includes(path) ||
    problems.some((problem) => problem.includes(path)) ||
    text.includes(path.toLowerCase()) ||
    (name.length >= SHORTEST_NAME && text.includes(name.toLowerCase()))
  );
}

/** Returns the files that refer to one of the paths, and those that they refer to. */
function neighbors(files: readonly WrittenFile[], of: ReadonlySet<string>): Set<string> {
  const tree = new ProjectTree(files.map(({ path }) => path));
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
