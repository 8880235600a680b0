import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Caller } from '../../access/callers.ts';
import { ApiError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import { checkTotalSize } from '../../sites/accept-files.ts';
import type { SiteFile } from '../../sites/site-file.ts';
import { readGeneration, type StoredGeneration, visibleGeneration } from '../generations.ts';
import type { FileContents } from './project-file-store.ts';
import { requireProject, siteFiles } from './site-files.ts';
import type { StoredProject } from './stored-project.ts';

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
