import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../contract/errors.ts';
import { GENERATION_ID } from '../contract/ids.ts';
import { LIMITS } from '../contract/limits.ts';
import { checkTotalSize } from '../sites/accept-files.ts';
import type { SiteFile } from '../sites/site-file.ts';
import type { DeployTarget } from '../stored/deploy-target.ts';
import type { FileContents } from '../stored/project-file-store.ts';
import { requireProject, siteFiles } from '../stored/site-files.ts';
import type { StoredProject } from '../stored/stored-project.ts';

/** The attributes of a generation's item that matter to a deploy. */
export interface StoredGeneration extends StoredProject {
  readonly id: string;
  readonly status: string;
  /** `Caller.id`; absent for an anonymous caller. */
  readonly owner?: string;
  /** Where it is to be deployed when it succeeds. */
  readonly deploy?: DeployTarget;
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

  async find(id: string): Promise<StoredGeneration | undefined> {
    const get = new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true });
    const { Item } = await this.#db.send(get);
    return Item as StoredGeneration | undefined;
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
   * Returns the files of a generation that a caller may read: its own, or an anonymous one.
   * @param caller `Caller.id` of a key or token
   * @throws ApiError not_found, conflict if it has no project, and the errors of `files`
   */
  async visible(id: string, caller: string | undefined): Promise<SiteFile[]> {
    const generation = GENERATION_ID.test(id) ? await this.find(id) : undefined;
    const hidden = generation?.owner !== undefined && generation.owner !== caller;
    if (!generation || hidden)
      throw new ApiError(
        'not_found',
        'generationId is not the id of a generation that you may read. Generations are kept for 24 hours',
      );
    requireProject(generation);
    return this.files(generation);
  }
}
