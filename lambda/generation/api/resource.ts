import type * as z from 'zod';
import { budgetSpentError } from '../../access/budgets.ts';
import { ApiError } from '../../contract/errors.ts';
import { truncate } from '../../contract/generate.ts';
import { type ResponseHeaders, WARNING_HEADER } from '../../contract/headers.ts';
import { LIMITS } from '../../contract/limits.ts';
import { usdOf } from '../../contract/prices.ts';
import type { screenshotQuery } from '../../contract/queries.ts';
import type { GeneratedFile, GenerateResponse, GenerationResource } from '../../contract/responses/generate.ts';
import type { GenerationList } from '../../contract/responses/lists.ts';
import type { LookResource } from '../../contract/responses/looks.ts';
import type { ProviderList } from '../../contract/responses/providers.ts';
import type { ApiRequest, ApiResponse, ApiUrl } from '../../http/request.ts';
import { log } from '../../platform/log.ts';
import { claimPath, TOKEN_HEADER, type Tokens, tokenFor } from '../../stored/deployment-owner.ts';
import { baseOf, withChanges } from '../../stored/projects/project-contents.ts';
import type { FileContents, ProjectFileStore, ProjectFiles } from '../../stored/projects/project-file-store.ts';
import { filesOf, hasProject } from '../../stored/projects/stored-project.ts';
import { INTERRUPTED, unfinishedFiles } from '../completeness.ts';
import { type Attempt, deploymentFields, type Generation, type LookEntry } from '../generation.ts';
import {
  attemptsOf,
  costFields,
  filesInProgress,
  lastLook,
  looksOf,
  matchedStarter,
  modelOf,
  planOf,
  tokensUsed,
} from '../generation-log.ts';
import { languageOf } from '../language.ts';
import { type ConfiguredProviders, type ProviderHealth, providerOrder } from '../provider-order.ts';

/** Returns the contract's response for a generation that is over. @throws ApiError when it has no project */
export async function generateResponse(
  generation: Generation,
  projectFiles: FileContents,
  now: number,
): Promise<GenerateResponse> {
  if (!hasProject(generation)) throw failureOf(generation, now);
  const { createdAt, finishedAt = createdAt, prompt } = generation;
  const project = await withChanges(await baseOf(generation, projectFiles), generation, projectFiles);
  const files = Array.from(project, ([path, content]) => generatedFile(path, content));
  return {
    files,
    tokensUsed: tokensUsed(generation),
    // The clocks of two functions have noted these times.
    duration: Math.max(0, finishedAt - createdAt),
    model: modelOf(generation),
    fileCount: files.length,
    prompt: truncate(prompt, LIMITS.echoedPromptCharacters),
    ...deploymentFields(generation),
  };
}

/** Returns the headers of every response about a generation. */
export async function generationHeaders(
  { id, deploy, deployed }: Generation,
  request: ApiRequest,
  { tokens, apiUrl }: { readonly tokens: Pick<Tokens, 'issue'>; readonly apiUrl: ApiUrl },
): Promise<ResponseHeaders> {
  const headers = { 'X-Generation-Id': id };
  if (deploy === undefined || deployed === undefined || !('response' in deployed)) return headers;
  const { response, first, warning, endsAt } = deployed;
  const token = await tokenFor(response.id, { ...deploy, first }, tokens);
  const claim = apiUrl(request, claimPath(response.id));
  return {
    ...headers,
    ...(token === undefined ? {} : { [TOKEN_HEADER]: token, Link: `<${claim}>; rel="claim"` }),
    ...(endsAt === undefined ? {} : { 'X-Deployment-Expires': String(endsAt) }),
    ...(warning === undefined ? {} : { [WARNING_HEADER]: warning }),
  };
}

/** Returns a file of the contract: in base64 if it is not text. */
export function generatedFile(path: string, content: string | Uint8Array): GeneratedFile {
  const language = languageOf(path);
  return typeof content === 'string'
    ? { path, content, language }
    : { path, content: Buffer.from(content).toString('base64'), language, encoding: 'base64' };
}

/** Returns the error for a generation that ended without a project. */
export function failureOf(generation: Generation, now: number): ApiError {
  const { status } = generation;
  const attempts = attemptsOf(generation).map(
    ({ provider, reason, outcome = 'interrupted' }) => `${provider}: ${reason ?? outcome}`,
  );
  if (status === 'canceled') return new ApiError('conflict', 'The generation was canceled');
  if (status === 'timed_out') {
    const message = `Generation exceeded the timeout of every provider (${attempts.join('; ')})`;
    const advice =
      unfinishedFiles(generation).length > 0
        ? '. Its first file was still being written: ask for less, or for the duration 10min'
        : '';
    return new ApiError('generation_timed_out', message + advice);
  }
  const denied = deniedAttempts(generation);
  if (denied) return budgetSpentError(denied.reason, denied.until, now);
  const what = whatFailed(generation, attempts);
  // Providers that refused would refuse again.
  const again = attempts.length === 0 || attemptsOf(generation).some(({ outcome }) => outcome !== 'refused');
  return again
    ? new ApiError('providers_failed', `${what}; retry after a few seconds`, {
        headers: { 'Retry-After': '5' },
      })
    : new ApiError('providers_failed', what);
}

/** Returns why no budget had room for any attempt, and when one may have; undefined if a provider was called. */
function deniedAttempts(generation: Generation): { readonly reason: string; readonly until: number } | undefined {
  const attempts = attemptsOf(generation);
  if (attempts.length === 0 || attempts.some(({ outcome }) => outcome !== 'over_budget')) return undefined;
  const untils = attempts.map(
    ({ startedAt, ms = 0, retryAfterSeconds = 0 }) => startedAt + ms + retryAfterSeconds * 1000,
  );
  const reasons = new Set(attempts.map(({ reason }) => reason));
  return { reason: [...reasons].join('; '), until: Math.min(...untils) };
}

function whatFailed({ problems }: Generation, attempts: readonly string[]): string {
  if (attempts.length === 0) return 'The generation could not be started';
  const what = problems?.includes(INTERRUPTED) ? INTERRUPTED : 'All generation providers failed';
  return `${what} (${attempts.join('; ')})`;
}

/** The reads and writes that cache the changes of a project. */
type ChangedFiles = FileContents & Pick<ProjectFileStore, 'changes' | 'putChanges'>;

/**
 * Returns the body of `GET /api/v1/generations/{id}`, with all files and changes once a change of a project is over.
 * They are computed for the first request, stored, and read for later ones.
 */
export async function changedResource(generation: Generation, projectFiles: ChangedFiles): Promise<GenerationResource> {
  const resource = generationResource(generation);
  const { base, log: events } = generation;
  if (base === undefined || !hasProject(generation)) return resource;
  // A base belongs to one request, and the log of a generation that is over no longer grows.
  const key = `${base}.${events.length}.json`;
  const stored = await projectFiles.changes<ChangedProject>(key);
  if (stored) return { ...resource, ...stored };
  const changed = await changedProject(generation, projectFiles);
  await projectFiles
    .putChanges(key, changed)
    .catch((error: unknown) => log.error('changes not stored', { generation: generation.id, error }));
  return { ...resource, ...changed };
}

type ChangedProject = Pick<GenerationResource, 'files' | 'changes'>;

async function changedProject(generation: Generation, projectFiles: FileContents): Promise<ChangedProject> {
  // Loaded when it is needed, to keep cold starts short.
  const { changesBetween } = await import('../edits/changes.ts');
  const before = await baseOf(generation, projectFiles);
  const after = await withChanges(before, generation, projectFiles);
  const files = Array.from(after, ([path, content]) => ({
    path,
    language: languageOf(path),
    bytes: Buffer.byteLength(content),
  }));
  return { files, changes: changesBetween(before, after) };
}

/** Returns a generation as its item has it. */
export function generationResource(generation: Generation): GenerationResource {
  const { id, status, model, duration, from, createdAt, finishedAt, problems } = generation;
  const plan = planOf(generation)?.files;
  const matched = matchedStarter(generation);
  const looks = looksOf(generation);
  const last = lastLook(generation);
  return {
    id,
    status,
    prompt: truncate(generation.prompt, LIMITS.echoedPromptCharacters),
    model,
    duration,
    ...(from === undefined ? {} : { from }),
    createdAt,
    ...(finishedAt === undefined ? {} : { finishedAt }),
    attempts: attemptsOf(generation).map(({ attempt: number, matched: _, ...attempt }) => {
      const look = looks.get(number);
      return { ...publicAttempt(attempt), ...(look ? { look: publicLook(id, look) } : {}) };
    }),
    ...costFields(generation),
    ...(matched === undefined ? {} : { matched }),
    ...(plan ? { plan } : {}),
    ...(status === 'running' && generation.writing ? { writing: filesInProgress(generation) } : {}),
    files: filesOf(generation).map(({ path, language, bytes }) => ({ path, language, bytes })),
    ...(hasProject(generation) && problems?.length ? { problems } : {}),
    ...(last ? { look: publicLook(id, last) } : {}),
    ...deploymentFields(generation),
  };
}

/** Returns an attempt for a response: without what only later attempts need, its cost in dollars. */
export function publicAttempt<T extends Partial<Attempt>>(attempt: T) {
  const { rejected: _, unbuilt, unfinished, retryAfterSeconds, isUnacceptable, measured, cost, ...shown } = attempt;
  return { ...shown, ...(cost === undefined ? {} : { cost: { usd: usdOf(cost) } }) };
}

/** Returns an item of the body of `GET /api/v1/generations`. */
export function generationSummary(generation: Generation): GenerationList['items'][number] {
  const { look, files, attempts: _, plan, problems, writing, ...summary } = generationResource(generation);
  const { problems: seen, ...shown } = look ?? {};
  return { ...summary, ...(look && { look: shown as typeof look }), fileCount: files.length };
}

/** Returns the body of `GET /api/v1/providers`. */
export function providerList(configured: ConfiguredProviders, health: ProviderHealth, now: number): ProviderList {
  const { routing, traits } = configured;
  const items = providerOrder('auto', configured, health, now).map((name) => {
    const { failures, firstTokenMs, firstFileMs, cost } = health.lately[name] ?? {};
    const { model = '', usualCost } = traits[name] ?? {};
    const microDollars = cost ?? usualCost;
    return {
      name,
      model: `${name}/${model}`,
      coolingUntil: health.cooling[name],
      failures: failures === undefined ? undefined : Math.round(failures * 100) / 100,
      firstTokenMs,
      firstFileMs,
      cost: microDollars === undefined ? undefined : usdOf(microDollars),
    };
  });
  return { routing, items };
}

/** Returns a look for a response. The URLs of its pictures are relative to the base URL. */
export function publicLook(id: string, { attempt, state, reason, problems, widths }: LookEntry): LookResource {
  const url = (width: number) => `/api/v1/generations/${id}/screenshot?attempt=${attempt}&width=${width}`;
  return {
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(problems === undefined ? {} : { problems: [...problems] }),
    ...(widths === undefined ? {} : { screenshots: Object.fromEntries(widths.map((width) => [width, url(width)])) }),
  };
}

/** A picture of an attempt never changes. That of a generation without an attempt does while it runs. */
const CACHED = 'private, max-age=86400, immutable';

/**
 * Returns a picture of the page after an attempt, by default that of the last look.
 * @throws ApiError not_found without such a picture
 */
export async function screenshotResponse(
  generation: Generation,
  { width, attempt }: z.output<typeof screenshotQuery>,
  { files }: { readonly files: Pick<ProjectFiles, 'look'> },
): Promise<ApiResponse> {
  const { id } = generation;
  const number = attempt ?? lastLook(generation)?.attempt;
  const look = number === undefined ? undefined : await files.look(id, number);
  const picture = look?.screenshots.get(width);
  if (!picture)
    throw new ApiError(
      'not_found',
      `There is no picture of ${width} px: look and attempts of the generation list the pictures in screenshots`,
    );
  return {
    statusCode: 200,
    headers: {
      'X-Generation-Id': id,
      'Content-Type': 'image/png',
      'Cache-Control': attempt === undefined ? 'private, no-cache' : CACHED,
    },
    bytes: picture,
  };
}
