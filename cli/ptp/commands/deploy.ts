import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import type { DeployOptions } from '../deploy.ts';
import { ACCESS, LINK_EXPIRES_OPTION, PASSWORD_OPTION } from '../page-settings.ts';

/** `ptp deploy [dir]` */
export function register(program: Command, context: Context): void {
  program
    .command('deploy')
    .argument('[dir]', 'folder of the project', '.')
    .description('publish a folder at a URL')
    .option('--watch', 'deploy again whenever a file changes')
    .option('--dry-run', 'print what would be deployed')
    .option('--as-is', 'publish the folder itself as it is: no build, no search for built pages, no question')
    .option('--source-maps', 'include *.map')
    .option('--new', 'make a new deployment at a new URL')
    .option('--project <id>', 'projectId: deploys with the same one share a URL')
    .option('--force', 'deploy over what someone else deployed meanwhile')
    .option('--expires <time>', 'when the page expires: 30m, 24h, 7d or never; each deploy renews it')
    .addOption(new Option('--access <who>', 'who may see the page (default: as before)').choices(ACCESS))
    .option(...PASSWORD_OPTION)
    .option(...LINK_EXPIRES_OPTION)
    .option('--open', 'open the page in a browser')
    .option('--look', 'wait for what a browser sees of the page (default: only in a terminal)')
    .option('--no-look', 'do not wait for it')
    .action(async (dir: string, options: DeployOptions) => {
      const { deploy } = await import('../deploy.ts');
      await deploy(dir, options, context);
    });
}
