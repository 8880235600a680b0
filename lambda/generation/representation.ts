import { ApiError } from '../contract/errors.ts';
import {
  type GeneratedFile,
  type GenerateResponse,
  type GenerationResource,
  truncate,
} from '../contract/generate.ts';
import { LIMITS } from '../contract/limits.ts';
import { attemptsOf, filesOf, hasProject, type Job, modelOf, tokensUsed } from './job.ts';
import type { FileContents } from './project-files.ts';

/** The header that names the job on every answer about it, so that nothing is lost with a connection. */
export const GENERATION_ID_HEADER = 'X-Generation-Id';

/** `succeeded`, or `incomplete` for a project with files missing: the contract's body has no place for it. */
export const GENERATION_STATUS_HEADER = 'X-Generation-Status';

/**
 * The contract's answer for a job that is over.
 * @throws ApiError for a job without a project
 */
export async function generateResponse(job: Job, projectFiles: FileContents): Promise<GenerateResponse> {
  if (!hasProject(job)) throw failureOf(job);
  const files = await projectFiles.contents(filesOf(job));
  return {
    files: files.map(({ path, content, language }): GeneratedFile => ({ path, content, language })),
    tokensUsed: tokensUsed(job),
    duration: (job.finishedAt ?? job.createdAt) - job.createdAt,
    model: modelOf(job),
    fileCount: files.length,
    prompt: truncate(job.prompt, LIMITS.echoedPromptCharacters),
  };
}

/** Why a job that is over has no project. */
export function failureOf(job: Job): ApiError {
  const attempts = attemptsOf(job).map(
    ({ provider, reason, outcome }) => `${provider}: ${reason ?? outcome}`,
  );
  if (job.status === 'canceled') return new ApiError('conflict', 'The generation was canceled');
  if (job.status === 'timed_out') {
    const message = `Generation exceeded the timeout of every provider (${attempts.join('; ')})`;
    return new ApiError('generation_timed_out', message);
  }
  const what =
    attempts.length > 0
      ? `All generation providers failed (${attempts.join('; ')})`
      : 'The generation could not be started';
  return new ApiError('providers_failed', `${what}; retry after a few seconds`, {
    headers: { 'Retry-After': '5' },
  });
}

/** The job as a resource of its own. */
export function generationResource(job: Job): GenerationResource {
  const { id, status, model, duration, createdAt, finishedAt, problems } = job;
  const plan = job.log.findLast((event) => event.type === 'plan')?.files;
  return {
    id,
    status,
    prompt: truncate(job.prompt, LIMITS.echoedPromptCharacters),
    model,
    duration,
    createdAt,
    ...(finishedAt === undefined ? {} : { finishedAt }),
    attempts: attemptsOf(job).map(({ attempt: _, ...attempt }) => attempt),
    ...(plan ? { plan } : {}),
    files: filesOf(job).map(({ path, language, bytes }) => ({ path, language, bytes })),
    ...(hasProject(job) && problems?.length ? { problems } : {}),
  };
}
