import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { targetOf } from '../target.ts';

/** `ptp open` */
export function register(program: Command, context: Context): void {
  program
    .command('open')
    .description('open a deployment in the browser')
    .argument('[id]', 'id, URL or folder; by default the current folder')
    .action((argument?: string) => open(argument, context));
}

async function open(argument: string | undefined, context: Context): Promise<void> {
  const { id, folder } = targetOf(argument, context);
  const url = `${context.baseUrl(folder)}/d/${id}`;
  if (!(await openPage(url, context))) context.say('There is no display to open a browser on');
  context.result({ id, url }, (stdout) => stdout.write(`${url}\n`));
}

/** Opens a page in the browser. Returns whether there is a display and a program that opens it. */
export async function openPage(url: string, { env }: Pick<Context, 'env'>): Promise<boolean> {
  const { platform } = process;
  const headless = platform !== 'darwin' && platform !== 'win32' && !env.DISPLAY && !env.WAYLAND_DISPLAY;
  if (headless && !env.WSL_DISTRO_NAME) return false;
  const { default: open } = await import('open');
  return open(url).then(
    () => true,
    () => false,
  );
}
