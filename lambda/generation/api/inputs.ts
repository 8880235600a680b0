import { type Caller, requireScope } from '../../access/callers.ts';
import { ApiError } from '../../contract/errors.ts';
import type { GenerateRequest, OriginalRequest } from '../../contract/generate.ts';
import { ASSETS_SCOPE } from '../../contract/operations.ts';
import { ifMatch } from '../../http/input.ts';
import type { ApiRequest } from '../../http/request.ts';
import { acceptFiles, type SiteFile } from '../../sites/accept-files.ts';
import { newVersionName, projectDeploymentId, randomDeploymentId } from '../../stored/deployment.ts';
import {
  ANONYMOUS,
  anonymousDeployer,
  type DeploymentSecrets,
  holdsToken,
  senderOf,
} from '../../stored/deployment-owner.ts';
import type { DeployTarget } from '../../stored/generations.ts';
import { requireProject, siteFiles } from '../../stored/projects/project-contents.ts';
import type { FileContents } from '../../stored/projects/project-file-store.ts';

import type { Generation } from '../generation.ts';
import type { UploadedImage } from '../images/given-images.ts';

/** Returns an uploaded image of an owner. @throws ApiError if there is none that a project can have */
export type ReadAsset = (id: string, owner: string) => Promise<UploadedImage>;

/**
 * Returns the images that a request names.
 * @throws ApiError unauthorized without a credential, forbidden without the scope of assets, and those of `asset`
 */
export async function requestedImages(
  { assets }: Pick<GenerateRequest, 'assets'>,
  caller: Caller | undefined,
  asset: ReadAsset,
): Promise<UploadedImage[]> {
  if (assets === undefined) return [];
  const { id: owner } = requireScope(caller, ASSETS_SCOPE);
  return Promise.all(assets.map((id) => asset(id, owner)));
}

/** Where the project that a request changes is read from. */
export interface ParentSources {
  readonly files: FileContents;
  /** Returns a generation if the caller may see it. */
  readonly generation: (id: string, request: ApiRequest) => Promise<Generation | undefined>;
  /** Returns the files of the live version of a deployment if the caller owns it. */
  readonly deployment: (id: string, request: ApiRequest) => Promise<readonly SiteFile[] | undefined>;
}

/** The project that a request asks to change. */
export interface Parent {
  readonly files: readonly SiteFile[];
  /** The request that first generated it, if that is known. */
  readonly origin?: OriginalRequest | undefined;
}

/**
 * Returns the files that a request asks to change: those of `from`, or its own; undefined if it starts from nothing.
 * @throws ApiError not_found if the caller may not read `from`, conflict if it has no project, and the errors of deploy
 *   for the request's own files
 */
export async function parentProject(
  { from, files }: Pick<GenerateRequest, 'from' | 'files'>,
  request: ApiRequest,
  sources: ParentSources,
): Promise<Parent | undefined> {
  if (files !== undefined) return { files: acceptFiles(files) };
  if (from === undefined) return undefined;
  const generation = await sources.generation(from, request);
  if (generation) {
    requireProject(generation);
    return { files: await siteFiles(generation, sources.files), origin: originOf(generation) };
  }
  const deployed = await sources.deployment(from, request);
  if (deployed) return { files: deployed };
  throw new ApiError(
    'not_found',
    'from is not the id of a generation or deployment that you may read. Generations are kept for 24 hours; a deployment needs the key or X-Deployment-Token that manages it',
  );
}

function originOf({ base, origin, prompt, duration }: Generation): OriginalRequest | undefined {
  return base === undefined ? { prompt, duration } : origin;
}

/**
 * Returns where a request wants its project deployed; undefined if it does not.
 * @throws ApiError forbidden for the token of another deployment, before anything is generated
 */
export async function deployTarget(
  { deploy = false }: Pick<GenerateRequest, 'deploy'>,
  request: ApiRequest,
  { idSecret, tokens }: Pick<DeploymentSecrets, 'idSecret' | 'tokens'>,
): Promise<DeployTarget | undefined> {
  if (deploy === false) return undefined;
  const { owner, token } = senderOf(request);
  if (owner === ANONYMOUS) tokens.prepare();
  const projectId = deploy === true ? undefined : deploy.projectId;
  const names = { id: randomDeploymentId(), version: newVersionName() };
  const id = projectId === undefined ? names.id : projectDeploymentId(owner, projectId, await idSecret());
  const holds = await holdsToken(id, token, tokens);
  const deployer = await anonymousDeployer(request.caller, idSecret);
  return { owner, deployer, projectId, names, holdsToken: holds, ifMatch: ifMatch(request) };
}
