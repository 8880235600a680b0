import { count } from '../../terminal/text.ts';
import { Changes } from '../folder/changes.ts';
import { checkManifest, type Manifest, nameOf } from '../folder/manifest.ts';
import { again, type FolderOptions } from './choose-files.ts';
import type { Context } from './context.ts';
import { type DeployLookOptions, showDeployLook, waitsForLook } from './deploy-look.ts';
import { explainBuild } from './problems.ts';
import type { Publisher, PublishResult } from './publish.ts';

/** What was deployed before. */
interface Deployed {
  readonly manifest: Manifest;
  readonly publisher: Publisher;
  readonly published: PublishResult;
}

/**
 * Deploys a site whenever its files change, until Ctrl-C. A failure is one line, after the problems of a build, and the next
 * change tries again. What a browser sees is shown once it has looked.
 */
export async function watchSite(
  { manifest: deployed, publisher, published }: Deployed,
  options: FolderOptions & DeployLookOptions,
  context: Context,
): Promise<void> {
  const { site } = deployed;
  const showLook = (version: PublishResult, manifest: Manifest) => {
    if (waitsForLook(options, context))
      void showDeployLook(publisher, version, manifest, options, { ...context, isLive: false });
  };
  const changes = new Changes(context.signal);
  const say = (text: string) => context.say(`${new Date().toLocaleTimeString('sv')} ${text}`);
  let last = deployed;
  const hasIndex = ({ files }: Pick<Manifest, 'files'>) => files.some(({ path }) => path === 'index.html');
  // The project's folder shows that a build deletes and makes the folder of the pages.
  changes.follow([site.project, ...deployed.folders]);
  showLook(published, deployed);
  context.say(`Watching ${nameOf(site.folder, context.cwd)}; Ctrl-C ends`);
  while (await changes.next()) {
    try {
      const manifest = again(deployed, options);
      changes.follow([site.project, ...manifest.folders]);
      // In the middle of a build, the page is not there yet.
      if ((hasIndex(deployed) && !hasIndex(manifest)) || (await publisher.isUnchanged(manifest))) continue;
      checkManifest(manifest);
      const begin = performance.now();
      const version = await publisher.publish(manifest);
      const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
      say(`Deployed ${describe(version.changed, manifest, last)} (${seconds} s)`);
      last = manifest;
      showLook(version, manifest);
    } catch (error) {
      // The deletion of a file that vanished meanwhile is a change of its own.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || context.signal.aborted) continue;
      say((explainBuild(error, site.folder, 'The page is as before', context) as Error).message);
    }
  }
  changes.follow([]);
}

/** Returns the changes of a deploy in a few words. @param changed paths that are new or changed */
function describe(changed: readonly string[], { files }: Manifest, before: Manifest): string {
  if (changed.length > 3) return count(changed.length, 'file');
  if (changed.length > 0) return changed.join(', ');
  return files.length < before.files.length ? 'deletions' : 'variables';
}
