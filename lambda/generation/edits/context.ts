import { isHtml } from '../../sites/paths.ts';
import type { ExistingFile, PlannedFile, WrittenFile } from '../../stored/projects/stored-project.ts';
import { ProjectTree, readSources } from '../problems/sources.ts';

/** Shorter names occur in prompts by chance. */
const SHORTEST_NAME = 4;

/** Files that tell little about the code: descriptions, tests and drawings. */
const MINOR = /(?:^|\/)(?:readme|license|changelog)[^/]*$|(?:^|\/)tests?\/|\.(?:test|spec)\.\w+$|\.(?:svg|md|txt)$/i;

/** The criteria by which the files of an attempt are chosen. */
interface Subject {
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
 * first those with problems, `index.html`, and those that the subject names or quotes; then other pages; then the files
 * that import the unwritten files of a group or, without a group, the neighbors of named files; then the others. Within a
 * rank, files that more files import come first, since the next files probably import them too, and then smaller files.
 */
export function relevantFiles(files: readonly ExistingFile[], subject: Subject, room: number): WrittenFile[] {
  const texts = files.filter((file): file is WrittenFile => file.content !== undefined);
  const unwritten = subject.unwritten?.map(({ path }) => path) ?? [];
  const isNamed = naming(subject);
  const isQuoted = quoting(subject);
  const named = texts.filter((file) => isNamed(file.path) || isQuoted(file)).map(({ path }) => path);
  const references = referencesOf(texts, unwritten);
  const of = new Set(unwritten.length > 0 ? unwritten : named);
  const near = new Set(
    references.flatMap(({ from, to }) => [...(of.has(from) ? [to] : []), ...(of.has(to) ? [from] : [])]),
  );
  const uses = Map.groupBy(references, ({ to }) => to);
  const usesOf = ({ path }: WrittenFile) => uses.get(path)?.length ?? 0;
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
    .toSorted(
      (a, b) => a.rank - b.rank || usesOf(b.file) - usesOf(a.file) || a.file.content.length - b.file.content.length,
    );
  const shown = new Set<WrittenFile>();
  let left = room;
  for (const { file } of ranked) {
    if (file.content.length > left) continue;
    left -= file.content.length;
    shown.add(file);
  }
  return texts.filter((file) => shown.has(file));
}

const hasProblem = (path: string, { problems }: Subject) => problems.some((problem) => problem.includes(path));

/** Returns a function that reports if the subject names a file, or a view of an application that has its name. */
function naming(subject: Subject): (path: string) => boolean {
  const { prompt, problems, changed, unwritten = [] } = subject;
  const text = [prompt, ...unwritten.map(({ purpose }) => purpose)].join('\n').toLowerCase();
  const views = problems
    .flatMap(
      (problem) =>
        / at [^\s#]*#(\S+)/
          .exec(problem)?.[1]
          ?.toLowerCase()
          .split(/[^a-z]+/) ?? [],
    )
    .filter(({ length }) => length >= SHORTEST_NAME);
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    return (
      changed.includes(path) ||
      hasProblem(path, subject) ||
      text.includes(path.toLowerCase()) ||
      (name.length >= SHORTEST_NAME && text.includes(name)) ||
      views.some((view) => name.includes(view))
    );
  };
}

/** Reports if a problem is about the data of the site. */
export const isAboutData = (problem: string): boolean => /\.data\/|_data\.json/.test(problem);

/** The part of the values of a quoted element that a file has which makes the element. */
const QUOTED_PART = 0.8;

/**
 * Returns a function that reports if a file may make or style an element that a problem quotes, by its classes and ids, or if it uses
 * the data of the site that a problem is about.
 */
function quoting({ problems }: Subject): (file: WrittenFile) => boolean {
  const elements = problems
    .flatMap((problem) => problem.match(/<[a-z][^<>…]*/g) ?? [])
    .map((element) =>
      // The last value may be cut off.
      [...element.matchAll(/ (?:class|id|name|aria-label)="([^"]*)("?)/g)].flatMap(([, value = '', end]) =>
        value.split(' ').slice(0, end ? undefined : -1),
      ),
    )
    .filter(({ length }) => length > 0);
  const isData = problems.some(isAboutData);
  return ({ content }) =>
    (isData && content.includes('.data/')) ||
    elements.some((values) => values.filter((value) => content.includes(value)).length >= values.length * QUOTED_PART);
}

interface Reference {
  readonly from: string;
  readonly to: string;
}

/** Returns which file refers to which, once each. @param unwritten paths of files that do not exist yet */
function referencesOf(files: readonly WrittenFile[], unwritten: readonly string[]): Reference[] {
  const tree = new ProjectTree([...files.map(({ path }) => path), ...unwritten]);
  return readSources(files).all.flatMap(({ path, parts }) => {
    const targets = parts.references.map(({ specifier }) => {
      const target = tree.target(path, specifier, parts.base);
      return target && tree.exact(target);
    });
    return [...new Set(targets)].flatMap((to) => (to === undefined ? [] : [{ from: path, to }]));
  });
}
