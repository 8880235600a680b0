import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { lookup } from 'mrmime';
import type { Client, ShownAsset } from '../../../client/client.ts';
import { UsageError } from '../../program.ts';
import type { Context } from '../context.ts';

interface Options {
  readonly type?: string;
  readonly entityType?: string;
}

/** `ptp assets upload` */
export function register(program: Command, context: Context): void {
  program
    .command('assets')
    .description('upload files that only you can read')
    .command('upload')
    .description('upload files and print the ids of their assets')
    .argument('<file...>')
    .option('--type <type>', 'media type (default: by the extension of the file)')
    .option('--entity-type <type>', 'what the assets belong to, such as USER_AVATAR')
    .action((files: string[], options: Options) => upload(files, options, context));
}

async function upload(files: readonly string[], options: Options, context: Context): Promise<void> {
  const sources = files.map((file) => ({ file, type: options.type ?? typeOf(file) }));
  const client = await context.client({ needsKey: true });
  const uploaded: ShownAsset[] = [];
  for (const { file, type } of sources) {
    const asset = await uploadFile(file, { ...options, type }, client, context).catch((error) => {
      const missing = error.code === 'ENOENT' ? `There is no file ${file}` : undefined;
      throw Object.assign(error, { message: missing ?? `${file}: ${error.message}` });
    });
    uploaded.push(asset);
    if (!context.json) context.stdout.write(`${asset.asset_id}\n`);
  }
  if (context.json) context.result(uploaded, () => {});
}

async function uploadFile(
  file: string,
  { type, entityType }: Options,
  client: Client,
  { cwd, signal }: Context,
): Promise<ShownAsset> {
  const bytes = await readFile(resolve(cwd, file));
  return client.assets.upload(bytes, { name: basename(file), type, entityType, signal });
}

function typeOf(file: string): string {
  const type = lookup(file)?.split(';')[0];
  if (type !== undefined) return type;
  throw new UsageError(`Unknown type of ${file}: name it with --type, such as --type image/png`);
}
