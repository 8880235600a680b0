import { ApiError } from '../contract/errors.ts';
import {
  characters,
  type GeneratedFile,
  type GenerateResponse,
  type GenerationResource,
  truncate,
} from '../contract/generate.ts';
import { LIMITS } from '../contract/limits.ts';
import type { Job, Result } from './job.ts';

/** The header that names the job on every answer about it, so that nothing is lost with a connection. */
export const GENERATION_ID_HEADER = 'X-Generation-Id';

/** The contract's answer for a project. */
export function generateResponse(
  job: Job,
  result: Result,
  files: readonly GeneratedFile[],
): GenerateResponse {
  return {
    files,
    tokensUsed: Math.ceil((characters(job.prompt) + result.outputCharacters) / LIMITS.charactersPerToken),
    duration: result.finishedAt - job.createdAt,
    model: result.model,
    fileCount: files.length,
    prompt: truncate(job.prompt, LIMITS.echoedPromptCharacters),
  };
}

/** Why a job that is over has no project. */
export function failureOf(job: Job): ApiError {
  const attempts = job.attempts.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ');
  const headers = { [GENERATION_ID_HEADER]: job.id };
  if (job.status === 'timed_out') {
    return new ApiError(
      'generation_timed_out',
      `Generation exceeded the timeout of every provider (${attempts})`,
      { headers },
    );
  }
  return new ApiError(
    'providers_failed',
    `All generation providers failed (${attempts}); retry after a few seconds`,
    {
      headers: { ...headers, 'Retry-After': '5' },
    },
  );
}

/** The job as a resource of its own. */
export function generationResource(job: Job): GenerationResource {
  const { id, status, model, duration, createdAt, attempts, result } = job;
  return {
    id,
    status,
    prompt: truncate(job.prompt, LIMITS.echoedPromptCharacters),
    model,
    duration,
    createdAt,
    attempts,
    ...(result
      ? { result: { model: result.model, fileCount: result.fileCount, finishedAt: result.finishedAt } }
      : {}),
  };
}
