import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import type { ScreenshotOptions } from '../look.ts';

/** `ptp look` */
export function register(program: Command, context: Context): void {
  program
    .command('look')
    .description('show what a browser saw of a deployment or generation')
    .argument('[id]', 'id, URL or folder; by default the current folder')
    .option('--screenshot <file>', 'write a picture of the page (PNG)')
    .addOption(
      new Option('--width <px>', 'with --screenshot: 390 is a phone (default: 1280)').choices([
        '390',
        '1280',
      ]),
    )
    .action(async (id: string | undefined, options: ScreenshotOptions) => {
      const { showLook } = await import('../show-look.ts');
      await showLook(id, options, context);
    });
}
