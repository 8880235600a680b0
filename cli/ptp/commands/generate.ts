import { type Command, Option } from 'commander';
import type { GenerateRequest } from '../../../lambda/contract/generate.ts';
import type { Context } from '../context.ts';
import type { GenerateOptions } from '../generate.ts';

/** All of the contract, whose module would load the library of its schemas with every command. */
const MODELS: Record<GenerateRequest['model'], 0> = {
  auto: 0,
  'provider-a': 0,
  'provider-b': 0,
  'provider-c': 0,
  'provider-d': 0,
};
const DURATIONS: Record<GenerateRequest['duration'], 0> = { auto: 0, '5min': 0, '10min': 0 };

/** Of screenshots. */
const WIDTHS = ['390', '1280'] as const;

const collect = (value: string, values: readonly string[] = []) => [...values, value];

/** `ptp generate <prompt>` */
export function register(program: Command, context: Context): void {
  program
    .command('generate')
    .argument('<prompt>', 'what to build; - reads it from stdin')
    .description('generate a project from a prompt, or change one')
    .option('-o, --output <dir>', 'folder of the project (default: a new one, named after the prompt)')
    .option('--from <project>', 'change a folder in place, or a generation or deployment by its id or URL')
    .option('--locked <path>', 'with --from: a path or pattern that must not change; repeatable', collect)
    .option('--asset <file>', 'an image to use, uploaded first; up to five times', collect)
    .addOption(new Option('--model <name>', 'provider to try first').choices(Object.keys(MODELS)))
    .addOption(
      new Option('--duration <time>', 'a longer duration makes more files').choices(Object.keys(DURATIONS)),
    )
    .option('--deploy', 'deploy the project')
    .option('--open', 'open the page in a browser')
    .option('--force', 'replace files of the folder')
    .option('--as-is', 'with --deploy: publish the files as they are, without building them')
    .option('--screenshot <file>', 'write a picture of the page as a browser shows it (PNG)')
    .addOption(
      new Option('--width <px>', 'with --screenshot: 390 is a phone (default: 1280)').choices(WIDTHS),
    )
    .action(async (prompt: string, options: GenerateOptions) => {
      const { generate } = await import('../generate.ts');
      await generate(prompt, options, context);
    });
}
