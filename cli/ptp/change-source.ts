import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GenerateRequest } from '../../client/client.ts';
import { withContent } from '../../client/files.ts';
import { GENERATION_ID } from '../../lambda/contract/ids.ts';
import { checkManifest, kindOf, manifestOf } from '../folder/manifest.ts';
import { ProjectFolder } from '../folder/project-folder.ts';
import { findSite } from '../folder/site.ts';
import { sourceManifest } from '../folder/source/source.ts';
import type { Context } from './context.ts';
import { targetOf } from './target.ts';

/** The project that `--from` names. */
export interface ChangeSource {
  /** What the request has of it. */
  readonly request: Pick<GenerateRequest, 'from' | 'files'>;
  /** The folder whose `.ptp.json` names the service. */
  readonly folder: string;
  /** Its files, if it is a folder. */
  readonly project?: ProjectFolder;
  /** The token of a deployment without an owner. */
  readonly token?: string | undefined;
}

/**
 * Returns the project that an argument names: a folder, the id of a generation or deployment, or the URL of a page. The files of
 * a folder are always sent, because the live version may have changed since the last deploy.
 * @throws UsageError if it names none
 */
export function changeSource(argument: string, context: Context): ChangeSource {
  const folder = resolve(context.cwd, argument);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folderSource(folder);
  if (GENERATION_ID.test(argument)) return { request: { from: argument }, folder: context.cwd };
  const { id, token } = targetOf(argument, context);
  return { request: { from: id }, folder: context.cwd, token };
}

/** Takes the files that a deploy of the folder itself would have, as source if it is that. */
function folderSource(folder: string): ChangeSource {
  const site = findSite(folder, { asIs: true });
  const all = manifestOf(site, {});
  const manifest = kindOf(all).kind === 'source' ? sourceManifest(all) : all;
  if (manifest.files.length === 0) throw new Error(`The folder "${folder}" has no files to change`);
  checkManifest(manifest);
  const project = new ProjectFolder(site.folder, manifest.files);
  return { request: { files: project.files.map(withContent) }, folder, project };
}

/** Returns whether a folder is that of the source, which is then changed in place. */
export function isInPlace({ project, folder }: ChangeSource, output: string | undefined): boolean {
  if (!project) return false;
  return output === undefined || (existsSync(output) && realpathSync(output) === realpathSync(folder));
}
