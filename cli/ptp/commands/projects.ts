import { type Command, Option } from 'commander';
import type { GenerateRequest } from '../../../lambda/contract/generate.ts';
import type { BuildFolderOptions } from '../build.ts';
import type { Context } from '../context.ts';
import type { DeployOptions } from '../deploy.ts';
import type { GenerateOptions } from '../generate.ts';
import type { ScreenshotOptions } from '../look.ts';
import { ACCESS, LINK_EXPIRES_OPTION, PASSWORD_OPTION } from '../page-settings.ts';
import { TARGET } from '../target.ts';

/** All of the contract, whose module would load the library of its schemas with every command. */
const MODELS: Record<GenerateRequest['model'], 0> = {
  auto: 0,
  'provider-a': 0,
  'provider-b': 0,
  'provider-c': 0,
  'provider-d': 0,
};
const DURATIONS: Record<GenerateRequest['duration'], 0> = { auto: 0, '5min': 0, '10min': 0 };

/** The widths of screenshots. */
const WIDTHS = ['390', '1280'] as const;

const collect = (value: string, values: readonly string[] = []) => [...values, value];

/** `ptp generate <prompt>` */
export function registerGenerate(program: Command, context: Context): void {
  program
    .command('generate')
    .argument('<prompt>', 'what to build; - reads it from stdin')
    .description('generate a project from a prompt, or change one')
    .option('-o, --output <dir>', 'folder of the project (default: a new one, named after the prompt)')
    .option('--from <project>', 'change a folder in place, or a generation or deployment by its id or URL')
    .option('--locked <path>', 'with --from: a path or pattern that must not change; repeatable', collect)
    .option('--asset <file>', 'an image to use, uploaded first; up to five times', collect)
    .addOption(new Option('--model <name>', 'provider to try first').choices(Object.keys(MODELS)))
    .addOption(new Option('--duration <time>', 'a longer duration makes more files').choices(Object.keys(DURATIONS)))
    .option('--deploy', 'deploy the project')
    .option('--open', 'open the page in a browser')
    .option('--force', 'replace files of the folder')
    .option('--as-is', 'with --deploy: publish the files as they are, without building them')
    .option('--screenshot <file>', 'write a picture of the page as a browser shows it (PNG)')
    .addOption(new Option('--width <px>', 'with --screenshot: 390 is a phone (default: 1280)').choices(WIDTHS))
    .action(async (prompt: string, options: GenerateOptions) => {
      const { generate } = await import('../generate.ts');
      await generate(prompt, options, context);
    });
}

/** `ptp deploy [dir]` */
export function registerDeploy(program: Command, context: Context): void {
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

/** `ptp build [dir]` */
export function registerBuild(program: Command, context: Context): void {
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

/** `ptp look` */
export function registerLook(program: Command, context: Context): void {
  program
    .command('look')
    .description('show what a browser saw of a deployment or generation')
    .argument(...TARGET)
    .option('--screenshot <file>', 'write a picture of the page (PNG)')
    .addOption(new Option('--width <px>', 'with --screenshot: 390 is a phone (default: 1280)').choices(['390', '1280']))
    .action(async (id: string | undefined, options: ScreenshotOptions) => {
      const { showLook } = await import('../look.ts');
      await showLook(id, options, context);
    });
}

/** `ptp domains list`, `add` and `remove` */
export function registerDomains(program: Command, context: Context): void {
  const domains = program.command('domains').description('serve a deployment on domains of yours');
  domains
    .command('list')
    .description('list the domains of a deployment')
    .argument(...TARGET)
    .action(async (id?: string) => (await actions()).listDomains(id, context));
  domains
    .command('add')
    .description('add a domain, or look for its DNS records again, and print the records')
    .argument('<domain>', 'such as www.example.com')
    .argument(...TARGET)
    .option('--wait', 'until the domain serves the pages; then print its URL')
    .action(async (domain: string, id: string | undefined, options: { readonly wait?: boolean }) =>
      (await actions()).addDomain(domain, id, options, context),
    );
  domains
    .command('remove')
    .description('remove a domain')
    .argument('<domain>')
    .argument(...TARGET)
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (domain: string, id: string | undefined, { yes = false }: { readonly yes?: boolean }) =>
      (await actions()).removeDomain(domain, id, yes, context),
    );
}

const actions = () => import('../domains.ts');

/** `ptp mcp [dir]` */
export function registerMcp(program: Command, context: Context): void {
  program
    .command('mcp')
    .argument('[dir]', 'folder in which agents may deploy folders', '.')
    .description('serve agents over stdio (MCP)')
    .action(async (dir: string) => (await import('../mcp.ts')).serve(dir, context));
}
