import type { ProviderName } from '../../contract/generate.ts';
import type { DataFeatures } from '../../contract/site-features.ts';
import { projectKind } from '../../sites/source/kind.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import type { FileContents, ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import { deletedOf, type UnfinishedFile } from '../../stored/projects/stored-project.ts';
import { leftOut, unbuiltOf, unfinishedFiles } from '../completeness.ts';
import type { Attempt, Generation } from '../generation.ts';
import {
  attemptsOf,
  droppedLast,
  imagesOf,
  lastLook,
  seenProblems,
  writtenFiles,
} from '../generation-log.ts';
import type { AttemptRequest } from '../providers/provider.ts';
import type { Draft, Task } from './draft.ts';
import { flawsOf } from './quality.ts';

/** The parts of a request that do not change in the course of a round. */
export type StaticRequest = Omit<
  AttemptRequest,
  'files' | 'plan' | 'unwritten' | 'unfinished' | 'parallel' | 'pace'
>;

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
