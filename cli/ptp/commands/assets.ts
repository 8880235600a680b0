import type { Command } from 'commander';
import type { ShownAsset } from '../../../client/client.ts';
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
  const { typeOf, uploadFile } = await import('../upload.ts');
  const advice = 'name it with --type, such as --type image/png';
  const sources = files.map((file) => ({ file, type: options.type ?? typeOf(file, advice) }));
  const client = await context.client({ needsKey: true });
  const uploaded: ShownAsset[] = [];
  for (const { file, type } of sources) {
    const asset = await uploadFile(file, { ...options, type }, client, context);
    uploaded.push(asset);
    if (!context.json) context.stdout.write(`${asset.asset_id}\n`);
  }
  if (context.json) context.result(uploaded, () => {});
}
