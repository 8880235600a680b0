import { ApiError } from '../../contract/errors.ts';
import type { SiteFile } from '../../sites/site-file.ts';
import { baseOf, withChanges } from './project-contents.ts';
import type { FileContents } from './project-file-store.ts';
import { hasProject, type StoredProject } from './stored-project.ts';

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
