import { projectKind } from '../../sites/source/kind.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import type { FileContents, ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import { deletedOf, type UnfinishedFile } from '../../stored/projects/stored-project.ts';
import { leftOut, unbuiltOf, unfinishedFiles } from '../completeness.ts';
import type { Generation } from '../generation.ts';
import { droppedLast, imagesOf, writtenFiles } from '../generation-log.ts';
import { lastLook, seenProblems } from '../looks.ts';
import type { AttemptRequest } from '../providers/provider.ts';
import { namesSource } from '../source-request.ts';
import type { Draft } from './draft.ts';
import { flawsOf } from './quality.ts';
import type { Task } from './tasks.ts';

/** The parts of a request that do not change in the course of a round. */
export type StaticRequest = Omit<
  AttemptRequest,
  'files' | 'plan' | 'unwritten' | 'unfinished' | 'parallel' | 'pace'
>;

/**
 * Returns what the attempts of a round ask for.
 * @param base the project before the generation
 * @param project the project before the round
 * @param screenshots the pictures for a review
 */
export function staticRequest(
  { kind }: Pick<Task, 'kind'>,
  generation: Generation,
  base: ProjectContents,
  project: ProjectContents,
  screenshots?: AttemptRequest['screenshots'],
): StaticRequest {
  const { prompt, duration, createdAt, locked = [], origin } = generation;
  const edits = generation.base !== undefined;
  const images = imagesOf(generation).map(({ path }) => ({ path, content: project.get(path) ?? '' }));
  const amends = kind !== 'write';
  return {
    prompt,
    duration,
    kind,
    edits,
    source: namesSource(prompt) || projectKind(project).kind === 'source',
    amends: edits || amends,
    date: createdAt,
    images,
    origin,
    locked: [...locked, ...images.map(({ path }) => path)],
    changed: [...writtenFiles(generation).map(({ path }) => path), ...deletedOf(generation)],
    screenshots,
    problems: amends
      ? [
          ...flawsOf(project, base),
          ...unbuiltOf(generation),
          ...leftOut(generation),
          ...seenProblems(generation),
          ...droppedLast(generation),
        ]
      : [],
  };
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
