import type { DeployFile } from '../../../client/client.ts';
import { newKey } from '../../../client/files.ts';
import { zipOf } from '../files/archive.ts';
import { readDropped, readPicked } from '../files/read-files.ts';
import { failureOf } from '../state/failure.ts';
import type { Files } from '../state/types.ts';
import type { Context } from './context.ts';
import { leave } from './generate.ts';

export const uploadDropped = (context: Context, data: DataTransfer) =>
  upload(context, () => readDropped(data));

export const uploadPicked = (context: Context, list: FileList) => upload(context, () => readPicked(list));

/** Opens files of this machine as a project. */
async function upload(context: Context, read: () => Promise<DeployFile[]>): Promise<void> {
  const { dispatch } = context.store;
  const files = await read().catch((error) => {
    dispatch({ type: 'failed', failure: { ...failureOf(error), code: 'files' } });
  });
  if (!files) return;
  leave();
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const at = Date.now();
  dispatch({ type: 'uploaded', projectId: newKey(), name: nameOf(contents), files: contents, at });
}

function nameOf(files: Files): string {
  const page = files.get('index.html');
  const text = page instanceof Uint8Array ? new TextDecoder().decode(page) : page;
  return /<title[^>]*>([^<]+)/i.exec(text ?? '')?.[1]?.trim() || 'Uploaded files';
}

/** Saves the files of the project as a zip. */
export async function download(context: Context): Promise<void> {
  const { project, store } = context;
  if (!project) return;
  const files = [...project.files].map(([path, content]) => ({ path, content }));
  const zip = await context.attempt(() => zipOf(files));
  if (!zip) return;
  const url = URL.createObjectURL(zip);
  const name = project.name
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();
  Object.assign(document.createElement('a'), { href: url, download: `${name || 'project'}.zip` }).click();
  store.dispatch({ type: 'saved', files: project.files });
  // Browsers read the URL when the download begins, which is after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
