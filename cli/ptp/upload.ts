import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { lookup } from 'mrmime';
import type { Client, ShownAsset } from '../../client/client.ts';
import { UsageError } from '../program.ts';
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
    const missing =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? `There is no file ${file}` : undefined;
    throw Object.assign(error as Error, { message: missing ?? `${file}: ${(error as Error).message}` });
  }
}

/** Returns the media type of a file by its extension. @throws UsageError if that is unknown */
export function typeOf(file: string, advice: string): string {
  const type = lookup(file)?.split(';')[0];
  if (type !== undefined) return type;
  throw new UsageError(`Unknown type of ${file}: ${advice}`);
}
