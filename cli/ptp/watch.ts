import { count } from '../../terminal/text.ts';
import { Changes } from '../folder/changes.ts';
import { checkManifest, type Manifest, manifestOf, nameOf } from '../folder/manifest.ts';
import type { Context } from './context.ts';
import type { Publisher } from './publish.ts';

/**
 * Deploys a site whenever its files change, until Ctrl-C. A failure is one line, and the next change tries again.
 * @param manifest as it was deployed
 */
export async function watchSite(
  { site, files, folders }: Manifest,
  publisher: Publisher,
  options: { sourceMaps?: boolean | undefined },
  context: Context,
): Promise<void> {
  const changes = new Changes(context.signal);
  const say = (text: string) => context.say(`${new Date().toLocaleTimeString('sv')} ${text}`);
  const hasIndex = ({ files }: Pick<Manifest, 'files'>) => files.some(({ path }) => path === 'index.html');
  // The project's folder shows that a build deletes and makes the folder of the pages.
  changes.follow([site.project, ...folders]);
  context.say(`Watching ${nameOf(site.folder, context.cwd)}; Ctrl-C ends`);
  while (await changes.next()) {
    try {
      const manifest = manifestOf(site, options);
      changes.follow([site.project, ...manifest.folders]);
      // In the middle of a build, the page is not there yet.
      if ((hasIndex({ files }) && !hasIndex(manifest)) || (await publisher.isUnchanged(manifest))) continue;
      checkManifest(manifest);
      const begin = performance.now();
      const { changed } = await publisher.publish(manifest);
      const listed = changed.length > 3 ? count(changed.length, 'file') : changed.join(', ') || 'deletions';
      say(`Deployed ${listed} (${((performance.now() - begin) / 1_000).toFixed(1)} s)`);
    } catch (error) {
      // The deletion of a file that vanished meanwhile is a change of its own.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !context.signal.aborted)
        say((error as Error).message);
    }
  }
  changes.follow([]);
}
