import { confirmByName } from '../../terminal/ask.ts';
import { type CommandIo, main as command, EXIT_CODES_OF_OPERATORS } from '../../terminal/program.ts';
import { stackNameOf } from '../stack-name.ts';
import { redFor } from './red.ts';
import { remainLines, remainsOf, WAY_BACK } from './remains.ts';
import { CDK, run } from './run.ts';
import { DeployedStack } from './stack.ts';
import { stageFileOf } from './stage-file.ts';

const NOTES = `
Lists which resources are retained and which are deleted, and asks for the name of the stack.

${EXIT_CODES_OF_OPERATORS}`;

interface Options {
  readonly stage?: string;
  readonly confirm?: string;
}

/** `npm run destroy` */
export const main = command('npm run destroy --', (program, io) => {
  program
    .description('Deletes the stack of a stage from the AWS account of the environment')
    .option('--stage <name>', 'the stage, whose configuration is config/<name>.json if that exists')
    .option('--confirm <stack>', 'the name of the stack, instead of the question')
    .addHelpText('after', NOTES)
    .action(async ({ stage, confirm }: Options) => {
      const { file, config } = stageFileOf(stage, io.env);
      const env = { ...io.env, CONFIG_FILE: file };
      const stack = new DeployedStack(stackNameOf(config), env);
      await destroy(stack, () => run(CDK, ['destroy', stack.name, '--force'], env), confirm, io);
    });
});

/**
 * Deletes a stack.
 * @param confirmed the name of the stack, if given on the command line
 * @throws Error if the stack does not exist, or the user types another name
 */
export async function destroy(
  stack: Pick<DeployedStack, 'name' | 'status' | 'resources' | 'template'>,
  remove: () => Promise<void>,
  confirmed: string | undefined,
  io: CommandIo,
): Promise<void> {
  if ((await stack.status()) === undefined)
    throw new Error(`The stack ${stack.name} does not exist in this account and region`);
  const remains = remainsOf(await stack.resources(), await stack.template());
  io.stdout.write(`${[...remainLines(remains, redFor(io)), WAY_BACK].join('\n')}\n`);
  if (confirmed !== stack.name) {
    const question = `Type ${stack.name} to delete the stack`;
    await confirmByName(question, stack.name, `--confirm ${stack.name}`, io);
  }
  await remove();
}
