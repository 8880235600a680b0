import { confirm, confirmByName } from '../../terminal/ask.ts';
import type { CommandIo } from '../../terminal/program.ts';
import { type Change, changeLines, lossLine, questionsOf } from './changes.ts';

export interface DeployOptions {
  /** Answers what loses nothing. */
  readonly yes: boolean;
  /** Logical ids of resources that may end with what is in them. */
  readonly lose: readonly string[];
  /** An API key for the smoke test. */
  readonly key?: string | undefined;
  readonly smoke: boolean;
}

/** What a deployment calls. */
export interface DeploySteps {
  /** Prints the providers, the costs and the concurrency. */
  announce(): Promise<void>;
  /** Synthesizes, uploads the assets and creates a change set. */
  prepare(changeSet: string): Promise<void>;
  /** Returns the changes; undefined if there are none. */
  changes(changeSet: string): Promise<readonly Change[] | undefined>;
  discard(changeSet: string): Promise<void>;
  /** Runs the CloudFront functions of the template at CloudFront. Returns what it did. @throws Error if one returns something else */
  testEdge(): Promise<string>;
  execute(changeSet: string): Promise<void>;
  baseUrl(): Promise<string | undefined>;
  smoke(argv: readonly string[]): Promise<void>;
}

const RED = '\x1b[31m';

/**
 * Deploys a stage: shows what changes, asks before anything ends, tests the CloudFront functions before they are published, and then
 * the service.
 * @throws Error of the step that failed
 */
export async function deploy(steps: DeploySteps, options: DeployOptions, io: CommandIo): Promise<void> {
  const say = (line: string) => void io.stdout.write(`${line}\n`);
  await steps.announce();
  const changeSet = `deploy-${new Date().toISOString().replaceAll(/[^0-9]/g, '')}`;
  say('Synthesizing, uploading and comparing ...');
  await steps.prepare(changeSet);
  const changes = await steps.changes(changeSet);
  if (changes === undefined) say('Nothing changes.');
  else await execute(changeSet, changes, steps, options, io);
  if (!options.smoke) return;
  const url = await steps.baseUrl();
  if (url === undefined) throw new Error('The stack has no output BaseUrl: the smoke test did not run');
  const key = options.key === undefined ? [] : ['--key', options.key];
  await steps.smoke(['--url', url, ...key]).catch(() => {
    throw new Error(
      'The smoke test failed, and the new version stays: docs/operating.md#rolling-out-and-back says how to go back',
    );
  });
}

async function execute(
  changeSet: string,
  changes: readonly Change[],
  steps: DeploySteps,
  options: DeployOptions,
  io: CommandIo,
): Promise<void> {
  const colored = io.stdout.isTTY && !io.env.NO_COLOR;
  const red = (text: string) => (colored ? `${RED}${text}\x1b[39m` : text);
  io.stdout.write(`Changes:\n${changeLines(changes, red).join('\n')}\n`);
  try {
    await ask(changes, options, io);
    io.stdout.write(`${await steps.testEdge()}\n`);
  } catch (error) {
    await steps.discard(changeSet);
    throw error;
  }
  await steps.execute(changeSet);
}

async function ask(changes: readonly Change[], { yes, lose }: DeployOptions, io: CommandIo): Promise<void> {
  const { replaceable, lossy } = questionsOf(changes, lose);
  for (const change of lossy) {
    const question = `${change.id}: ${lossLine(change)}. Type its name to go on`;
    await confirmByName(question, change.id, `--lose ${change.id}`, io);
  }
  if (yes || replaceable.length === 0) return;
  await confirm(`${replaceable.length} resources are removed or replaced. Go on?`, io);
}
