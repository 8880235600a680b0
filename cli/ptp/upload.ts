import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { lookup } from 'mrmime';
import type { Client, ShownAsset } from '../../client/client.ts';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { UsageError } from '../../terminal/program.ts';
import { sizeOf } from '../../terminal/text.ts';
import type { Context } from './context.ts';

export interface UploadOptions {
  readonly type: string;
  readonly entityType?: string | undefined;
}

/** Uploads a file as an asset. @throws Error that names the file */
export async function uploadFile(
  file: string,
  { type, entityType }: UploadOptions,
  client: Client,
  { cwd, signal }: Context,
): Promise<ShownAsset> {
  try {
    const bytes = await readFile(resolve(cwd, file));
    return await client.assets.upload(bytes, { name: basename(file), type, entityType, signal });
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT' ? `There is no file ${file}` : undefined;
    throw Object.assign(error as Error, { message: missing ?? `${file}: ${(error as Error).message}` });
  }
}

/** Returns the media type of a file by its extension. @throws UsageError if that is unknown */
export function typeOf(file: string, advice: string): string {
  const type = lookup(file)?.split(';')[0];
  if (type !== undefined) return type;
  throw new UsageError(`Unknown type of ${file}: ${advice}`);
}

/** Uploads images for a project, and returns the ids of their assets. */
export async function uploadImages(files: readonly string[], client: Client, context: Context): Promise<string[]> {
  const advice = 'an image is a .png, .jpg, .gif, .webp, .avif or .svg file';
  const sources = files.map((file) => ({ file, type: typeOf(file, advice) }));
  for (const file of files) checkImage(file, context);
  const assets = await Promise.all(sources.map(({ file, type }) => uploadFile(file, { type }, client, context)));
  return assets.map(({ asset_id }) => asset_id);
}

/** @throws Error for an image that is too large, before it is uploaded */
function checkImage(file: string, { cwd }: Context): void {
  const size = statSync(resolve(cwd, file), { throwIfNoEntry: false })?.size ?? 0;
  if (size > LIMITS.fileBytes)
    throw new Error(`${file} has ${sizeOf(size)}, but an image of a project at most 1 MB: make it smaller`);
}
