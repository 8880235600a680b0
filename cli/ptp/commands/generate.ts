import { type Command, Option } from 'commander';
import { DURATIONS, MODELS } from '../../../lambda/contract/generate.ts';
import type { Context } from '../context.ts';
import type { GenerateOptions } from '../generate.ts';

/** `ptp generate <prompt>` */
export function register(program: Command, context: Context): void {
  program
    .command('generate')
    .argument('<prompt>', 'what to build; - reads it from stdin')
    .description('generate a project from a prompt')
    .option('-o, --output <dir>', 'folder of the project (default: a new one, named after the prompt)')
    .addOption(new Option('--model <name>', 'provider to try first').choices(MODELS))
    .addOption(new Option('--duration <time>', 'a longer duration makes more files').choices(DURATIONS))
    .option('--deploy', 'deploy the project')
    .option('--open', 'open the page in a browser')
    .option('--force', 'replace files of the folder')
    .option('--as-is', 'with --deploy: deploy a project that needs a build without building it')
    .action(async (prompt: string, options: GenerateOptions) => {
      const { generate } = await import('../generate.ts');
      await generate(prompt, options, context);
    });
}
