import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { sizeOf, success } from '../../../terminal/text.ts';
import type { Context } from '../context.ts';
import { asOwner, requireCredential, targetOf } from '../target.ts';

/** `ptp zip` */
export function register(program: Command, context: Context): void {
  program
    .command('zip')
    .description('write the files of a deployment to a zip')
    .argument('[id]', 'id, URL or folder; by default the current folder')
    .option('-o, --output <file>', 'the zip (default: <id>.zip)')
    .option('--force', 'replace a file')
    .action((id: string | undefined, options: Options) => zip(id, options, context));
}

interface Options {
  readonly output?: string;
  readonly force?: boolean;
}

async function zip(argument: string | undefined, options: Options, context: Context): Promise<void> {
  const target = targetOf(argument, context);
  requireCredential(target, context);
  const { id, token, folder } = target;
  const { output = `${id}.zip`, force = false } = options;
  const client = await context.client({ folder });
  const bytes = await asOwner(target, () =>
    client.deployments.archive(id, { token, signal: context.signal }),
  );
  try {
    writeFileSync(resolve(context.cwd, output), bytes, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`There is a file ${output} already: --force replaces it, -o names another one`);
  }
  context.say(success(`Wrote ${output}, ${sizeOf(bytes.length)}`, context));
  context.result({ id, file: resolve(context.cwd, output), bytes: bytes.length }, (stdout) =>
    stdout.write(`${output}\n`),
  );
}
