import type { Command } from 'commander';
import type { BuildFolderOptions } from '../build.ts';
import type { Context } from '../context.ts';

/** `ptp build [dir]` */
export function register(program: Command, context: Context): void {
  program
    .command('build')
    .argument('[dir]', 'folder of the project', '.')
    .description('build the source of a project without publishing it')
    .option('-o, --out <dir>', 'folder for the built files (default: dist in the project, which is replaced)')
    .option('--force', 'with --out: replace files of the same path')
    .action(async (dir: string, options: BuildFolderOptions) => {
      const { build } = await import('../build.ts');
      await build(dir, options, context);
    });
}
