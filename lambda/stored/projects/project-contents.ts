import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Caller } from '../../access/callers.ts';
import { ApiError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import { checkTotalSize, type SiteFile } from '../../sites/accept-files.ts';
import { textOf } from '../../sites/text-of.ts';
import { readGeneration, type StoredGeneration, visibleGeneration } from '../generations.ts';
import type { FileContents } from './project-file-store.ts';
import { deletedOf, filesOf, hasProject, type StoredProject } from './stored-project.ts';

/** The files of a project by path; bytes for a file that is not text. */
export type ProjectContents = ReadonlyMap<string, string | Uint8Array>;

/** Returns the project that a generation changes; an empty one if it starts from nothing. */
export async function baseOf({ base }: Pick<StoredProject, 'base'>, files: FileContents): Promise<ProjectContents> {
  if (base === undefined) return new Map();
  const archive = await files.base(base);
  return new Map(Array.from(archive, ([path, bytes]) => [path, textOf(bytes) ?? bytes]));
}

/** Returns a base with the changes that a generation made so far. */
export async function withChanges(
  base: ProjectContents,
  generation: Pick<StoredProject, 'log'>,
  files: FileContents,
): Promise<Map<string, string | Uint8Array>> {
  const project = new Map(base);
  for (const path of deletedOf(generation)) project.delete(path);
  for (const { path, content } of await files.contents(filesOf(generation))) project.set(path, content);
  return project;
}

/** Returns the files of a generation's project as those of a site. */
export async function siteFiles(generation: StoredProject, files: FileContents): Promise<SiteFile[]> {
  const project = await withChanges(await baseOf(generation, files), generation, files);
  return Array.from(project, ([path, content]) => ({ path, content, size: Buffer.byteLength(content) }));
}

/** @throws ApiError conflict if a generation has no project, or not yet */
export function requireProject({ status }: { readonly status: string }): void {
  if (hasProject({ status })) return;
  const pending = status === 'queued' || status === 'running' || status === 'deploying';
  throw new ApiError(
    'conflict',
    pending
      ? 'The generation has not ended: wait for its result first'
      : 'The generation has no project: use another one',
  );
}

/** The generations, as deploys read them. */
export class GeneratedProjects {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #files: FileContents;

  constructor(db: DynamoDBDocumentClient, table: string, files: FileContents) {
    this.#db = db;
    this.#table = table;
    this.#files = files;
  }

  find(id: string): Promise<StoredGeneration | undefined> {
    return readGeneration(this.#db, this.#table, id);
  }

  /** @throws ApiError invalid_request or payload_too_large if it exceeds the limits of a deployment */
  async files(generation: StoredProject): Promise<SiteFile[]> {
    const files = await siteFiles(generation, this.#files);
    if (files.length > LIMITS.filesPerDeployment)
      throw new ApiError(
        'invalid_request',
        `The project has ${files.length} files: at most ${LIMITS.filesPerDeployment} are accepted`,
      );
    checkTotalSize(files);
    return files;
  }

  /**
   * Returns the files of a generation that a caller may see.
   * @throws ApiError not_found, conflict if it has no project, and the errors of `files`
   */
  async visible(id: string, caller: Caller | undefined): Promise<SiteFile[]> {
    const generation = await visibleGeneration(id, caller, (known) => this.find(known));
    if (!generation)
      throw new ApiError(
        'not_found',
        'generationId is not the id of a generation that you may read. Generations are kept for 24 hours',
      );
    requireProject(generation);
    return this.files(generation);
  }
}
