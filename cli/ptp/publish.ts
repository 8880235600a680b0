import { randomUUID } from 'node:crypto';
import { accessSync, appendFileSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ApiError, Client, type Deployed, hashes } from '../../client/client.ts';
import type { Context } from './context.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { type Manifest, readFiles } from './manifest.ts';
import { findProject, PROJECT_FILE, type Project, writeProject } from './project-file.ts';
import { repositoryOf } from './site.ts';
import { clean, count } from './text.ts';

export interface PublishOptions {
  /** Creates a new deployment at a new URL. */
  readonly new?: boolean | undefined;
  /** The projectId to deploy to. */
  readonly project?: string | undefined;
  /** Deploys over what someone else deployed meanwhile. */
  readonly force?: boolean | undefined;
}

export interface Published extends Deployed {
  readonly projectId: string;
  /** Paths that are new, or whose content is. */
  readonly changed: readonly string[];
}

/** Returns a client for the service of a folder, which says so when it waits for longer than a moment. */
export function clientFor(context: Context, folder: string, key = context.key(folder)): Client {
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (ms > 2_000) context.say(`The service is busy: retrying in ${count(Math.ceil(ms / 1_000), 'second')}`);
    await setTimeout(ms, undefined, signal ? { signal } : {});
  };
  return new Client({ baseUrl: context.baseUrl(folder), key, userAgent: 'ptp', sleep });
}

/** Deploys a project's folder, and remembers the deployment in its `.ptp.json`. */
export class Publisher {
  readonly #folder: string;
  readonly #url: string;
  readonly #force: boolean;
  readonly #context: Context;
  readonly #client: Client;
  readonly #projectId: string;
  #last: Project | undefined;

  /** @throws Error for a deployment that the caller cannot change, or that could not be remembered */
  constructor(folder: string, options: PublishOptions, context: Context) {
    const [url, key] = [context.baseUrl(folder), context.key(folder)];
    const last = options.new ? undefined : findProject(folder, url, options.project);
    if (last?.owner === 'key' && key === undefined)
      throw new Error(
        'The deployment was made with an API key: run "ptp login" or set PTP_API_KEY, or make a new one with --new',
      );
    accessSync(folder, constants.W_OK);
    // With a key, the same projectId would be another deployment, at another URL.
    const anonymous = last?.owner === 'anonymous' && key !== undefined;
    if (anonymous)
      context.say(
        'Deploying without the API key, because the deployment was made without one; --new uses it',
      );
    this.#client = anonymous ? new Client({ baseUrl: url, userAgent: 'ptp' }) : clientFor(context, folder);
    this.#folder = folder;
    this.#url = url;
    this.#force = options.force ?? false;
    this.#context = context;
    this.#projectId = options.project ?? last?.projectId ?? randomUUID();
    this.#last = last;
  }

  /** Whether the last deploy had exactly these files. */
  async isUnchanged(manifest: Manifest): Promise<boolean> {
    const { paths, digests } = await this.#read(manifest);
    const known = this.#last?.files ?? {};
    return paths.length === Object.keys(known).length && paths.every((path, i) => known[path] === digests[i]);
  }

  /** Deploys the files of a manifest; only those are sent that the deployment does not have. */
  async publish(manifest: Manifest): Promise<Published> {
    const { files, paths, digests } = await this.#read(manifest);
    const last = this.#last;
    const known = last?.files ?? {};
    const projectId = this.#projectId;
    const deploy = (ifMatch: string | undefined) =>
      this.#client.deploy(
        { files, projectId },
        { token: last?.token, known: Object.values(known), ifMatch, signal: this.#context.signal },
      );
    const deployed = await deploy(this.#force ? undefined : last?.version).catch(async (error: unknown) =>
      deploy(await this.#rolledBack(error)),
    );
    const { id, version, token = last?.token } = deployed;
    const owner = last?.owner ?? (this.#context.key(this.#folder) === undefined ? 'anonymous' : 'key');
    const record = {
      url: this.#url,
      projectId,
      id,
      owner,
      ...(token === undefined ? {} : { token }),
      version,
    };
    this.#last = { ...record, files: Object.fromEntries(paths.map((path, i) => [path, digests[i] ?? ''])) };
    remember(this.#folder, this.#last, this.#context);
    return { ...deployed, projectId, changed: paths.filter((path, i) => known[path] !== digests[i]) };
  }

  async #read(manifest: Manifest) {
    const files = readFiles(manifest);
    return { files, paths: files.map(({ path }) => path), digests: await hashes(files) };
  }

  /**
   * Returns the live version if a deploy failed only because the deployment was rolled back: then nobody's work is lost.
   * @throws Error that says who changed the deployment; any other error unchanged
   */
  async #rolledBack(error: unknown): Promise<string> {
    const last = this.#last;
    if (!(error instanceof ApiError && error.status === 412 && last?.version !== undefined)) throw error;
    const { id, token, version } = last;
    const { signal } = this.#context;
    const { versions } = await this.#client.deployments.get(id, { token, signal }).catch((problem) => {
      throw problem instanceof ApiError ? notOurs(problem, id) : problem;
    });
    const live = versions.find((one) => one.live);
    const own = versions.find((one) => one.version === version);
    const at = live === undefined ? '' : new Date(live.deployedAt).toLocaleString('sv').slice(0, 16);
    if (!live || !own || live.deployedAt > own.deployedAt)
      throw new Error(
        `Someone else deployed at ${at}; nothing was changed. --force deploys over it, and "ptp rollback" can restore it`,
      );
    this.#context.say(`The deployment was rolled back to the version of ${at}; deploying a new version`);
    return live.version;
  }
}

function notOurs(problem: ApiError, id: string): Error {
  if (problem.status === 410)
    return new Error(`The deployment ${id} was deleted: --force restores its URL, --new makes a new one`);
  if (problem.status !== 401 && problem.status !== 403) return problem;
  return new Error(
    `The deployment ${id} was made with another API key: use that one, or make a new deployment with --new (${clean(problem.message)})`,
  );
}

/** Writes `.ptp.json`. The page is live: a failure does not undo that, but its token must not be lost. */
function remember(folder: string, project: Project, context: Context): void {
  const { id, token } = project;
  try {
    writeProject(folder, project);
    if (token !== undefined) keepOutOfGit(folder, context);
  } catch (error) {
    const keep =
      token === undefined ? '' : `. Keep the token of the deployment ${id}, its only credential: ${token}`;
    context.stderr.write(`${(error as Error).message}${keep}\n`);
  }
}

/** Adds `.ptp.json` to `.gitignore` in a repository: whoever reads its token can delete the page. */
function keepOutOfGit(folder: string, context: Context): void {
  const repository = repositoryOf(folder);
  const file = join(folder, PROJECT_FILE);
  if (repository === undefined || IgnoreRules.around(file, repository).ignoredByGit(file)) return;
  const ignored = join(folder, '.gitignore');
  const text = existsSync(ignored) ? readFileSync(ignored, 'utf8') : '';
  appendFileSync(ignored, `${text === '' || text.endsWith('\n') ? '' : '\n'}${PROJECT_FILE}\n`);
  context.say(`Added ${PROJECT_FILE} to .gitignore, because it has the token of the deployment`);
}
