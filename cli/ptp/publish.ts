import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type Client, type Deployed, hashes, type Look, type SettingsRequest } from '../../client/client.ts';
import type { Width } from '../../lambda/mcp/looks.ts';
import { appendLine } from '../../terminal/written-files.ts';
import { contentOf, IgnoreRules } from '../folder/scan.ts';
import { type Manifest, repositoryOf } from '../folder/site.ts';
import type { Context } from './context.ts';
import { findProject, type LinkedDeployment, PROJECT_FILE, writeProject } from './local-files.ts';
import { awaitLook } from './look.ts';

export interface PublishOptions {
  /** Creates a new deployment at a new URL. */
  readonly new?: boolean | undefined;
  /** The projectId to deploy to. */
  readonly project?: string | undefined;
  /** Deploys over what someone else deployed meanwhile. */
  readonly force?: boolean | undefined;
}

export interface PublishResult extends Deployed {
  readonly projectId: string;
  /** Paths that are new, or whose content is. */
  readonly changed: readonly string[];
}

/** Deploys a project's folder, and remembers the deployment in its `.ptp.json`. */
export class Publisher {
  readonly #folder: string;
  readonly #options: PublishOptions;
  readonly #context: Context;
  readonly #owner: 'key' | 'anonymous';
  readonly #key: { readonly key?: null; readonly needsKey?: boolean };
  #last: LinkedDeployment | undefined;
  #lastEnv: BuildEnv;

  /** @throws Error for a deployment that the caller cannot change, or that could not be remembered */
  constructor(folder: string, options: PublishOptions, context: Context) {
    const key = context.key(folder);
    this.#last = options.new ? undefined : findProject(folder, context.baseUrl(folder), options.project);
    this.#owner = this.#last?.owner ?? (key === undefined ? 'anonymous' : 'key');
    accessSync(folder, constants.W_OK);
    // With a key, the same projectId would be another deployment, at another URL.
    const withoutKey = this.#owner === 'anonymous' && key !== undefined;
    if (withoutKey)
      context.say('Deploying without the API key, as at first; "ptp claim" moves the deployment to the key');
    this.#key = withoutKey ? { key: null } : { needsKey: this.#owner === 'key' };
    this.#folder = folder;
    this.#options = options;
    this.#context = context;
  }

  /** Reports if the last deploy had exactly these files and variables. */
  async isUnchanged(manifest: Manifest): Promise<boolean> {
    if (JSON.stringify(envOf(manifest)) !== JSON.stringify(this.#lastEnv)) return false;
    const { digests } = await read(manifest);
    const known = this.#last?.files ?? {};
    const paths = Object.keys(digests);
    return paths.length === Object.keys(known).length && paths.every((path) => known[path] === digests[path]);
  }

  /** True if the deployment has no owner: its token manages it. */
  get isAnonymous(): boolean {
    return this.#owner === 'anonymous';
  }

  /**
   * Deploys the files of a manifest; only those are sent that the deployment does not have.
   * @param settings other properties that the deploy changes
   */
  async publish(manifest: Manifest, settings: SettingsRequest = {}): Promise<PublishResult> {
    const client = await this.#context.client({ folder: this.#folder, ...this.#key });
    const { files, digests } = await read(manifest);
    const { token: before, version: ifMatch, files: had = {} } = this.#last ?? {};
    const { force, project = this.#last?.projectId ?? randomUUID() } = this.#options;
    const env = envOf(manifest);
    const { signal } = this.#context;
    const conditions = {
      token: before,
      known: Object.values(had),
      ifMatch: force ? undefined : ifMatch,
      signal,
    };
    const deployed = await client
      .deploy({ ...settings, files, projectId: project, build: manifest.asIs ? false : undefined, env }, conditions)
      .catch(async (error: unknown) => {
        throw await this.#explained(error, client);
      });
    this.#lastEnv = env;
    const { id, version, token = before } = deployed;
    const place = { url: this.#context.baseUrl(this.#folder), projectId: project, id, owner: this.#owner };
    this.#last = { ...place, ...(token === undefined ? {} : { token }), version, files: digests };
    remember(this.#folder, this.#last, this.#context);
    const changed = Object.keys(digests).filter((path) => had[path] !== digests[path]);
    return { ...deployed, projectId: project, changed };
  }

  /**
   * Returns what a browser saw of a version, after waiting for it.
   * @throws ApiError without a credential for the deployment
   */
  async look({ id, version }: PublishResult, waitMs: number, context: Context): Promise<Look | undefined> {
    const client = await context.client({ folder: this.#folder, ...this.#key });
    return awaitLook(client, id, { token: this.#last?.token, version, waitMs }, context);
  }

  /** Returns a picture of a version. @throws ApiError `not_found` if there is none */
  async picture({ id, version }: PublishResult, width: Width, context: Context): Promise<Uint8Array> {
    const client = await context.client({ folder: this.#folder, ...this.#key });
    const { signal } = context;
    return client.deployments.screenshot(id, { width, version, token: this.#last?.token, signal });
  }

  /** Returns the error of a deploy; for one to a version that is not live, with who changed it and what to do. */
  async #explained(error: unknown, client: Client): Promise<unknown> {
    if (!(error instanceof ApiError && this.#last)) return error;
    const { id, token } = this.#last;
    if (error.status === 403 && token !== undefined) {
      const advice = 'If it was claimed with your API key, "ptp claim" has this folder use the key';
      return Object.assign(new Error(`${error.message}. ${advice}`), { status: 403 });
    }
    if (error.status !== 412) return error;
    const found = await client.deployments
      .get(id, { token, signal: this.#context.signal })
      .catch((problem: unknown) => problem);
    if (!(found instanceof Error)) {
      const at = new Date((found as { deployedAt: number }).deployedAt).toLocaleString('sv');
      return new Error(
        `The live version is not the one that was deployed from here, but one of ${at}; nothing was changed. --force deploys over it`,
      );
    }
    const { status, message } = found as ApiError;
    if (status === 410) return new Error(`${message}: --force restores its URL, --new makes a new one`);
    if (status !== 401 && status !== 403) return found;
    const advice = 'use that one, or make a new deployment with --new';
    return Object.assign(new Error(`The deployment ${id} belongs to another API key: ${advice}`), { status });
  }
}

type BuildEnv = Readonly<Record<string, string>> | undefined;

/** Returns the variables of source by name; the folder decides, so none if it has none. */
function envOf({ variables }: Manifest): BuildEnv {
  return variables && Object.fromEntries(variables.map(({ name, value }) => [name, value]));
}

async function read(manifest: Manifest) {
  const files = manifest.files.map((file) => ({ path: file.path, content: contentOf(file) }));
  const digests = await hashes(files);
  return { files, digests: Object.fromEntries(files.map(({ path }, i) => [path, digests[i] ?? ''])) };
}

/** Writes `.ptp.json`. The page is live: a failure does not undo that, but its token must not be lost. */
function remember(folder: string, project: LinkedDeployment, context: Context): void {
  const { id, token } = project;
  try {
    writeProject(folder, project);
    if (token !== undefined) keepOutOfGit(folder, context);
  } catch (error) {
    const keep = token === undefined ? '' : `. Keep the token of the deployment ${id}, its only credential: ${token}`;
    context.stderr.write(`${(error as Error).message}${keep}\n`);
  }
}

/** Adds `.ptp.json` to `.gitignore` in a repository: whoever reads its token can delete the page. */
function keepOutOfGit(folder: string, context: Context): void {
  const repository = repositoryOf(folder);
  const file = join(folder, PROJECT_FILE);
  if (repository === undefined || IgnoreRules.around(file, repository).ignoredByGit(file, false)) return;
  const ignored = join(folder, '.gitignore');
  if (!appendLine(ignored, PROJECT_FILE)) {
    const advice = `keep ${PROJECT_FILE}, which has the token of the deployment, out of git yourself`;
    return void context.stderr.write(`${ignored} is not a regular file: ${advice}\n`);
  }
  context.say(`Added ${PROJECT_FILE} to .gitignore, because it has the token of the deployment`);
}
