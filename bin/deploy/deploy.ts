import { confirm, confirmByName } from '../../terminal/ask.ts';
import type { CommandIo } from '../../terminal/program.ts';
import { type Change, changeLines, lossLine, questionsOf } from './changes.ts';
import { redFor } from './red.ts';

export interface DeployOptions {
  /** Answers the question about resources without data. */
  readonly yes: boolean;
  /** Logical ids of resources that may be removed or replaced with their data. */
  readonly lose: readonly string[];
  /** An API key for the smoke test. */
  readonly key?: string | undefined;
  readonly smoke: boolean;
}

/** The steps of a deployment. */
export interface DeploySteps {
  /** Prints the providers, the costs and the concurrency. */
  announce(): Promise<void>;
  /** Synthesizes, uploads the assets and creates a change set. */
  prepare(changeSet: string): Promise<void>;
  /** Returns the changes; undefined if there are none. */
  changes(changeSet: string): Promise<readonly Change[] | undefined>;
  discard(changeSet: string): Promise<void>;
  /** Tests the CloudFront functions of the template at CloudFront. Returns a summary. @throws Error if a result is not expected */
  testEdge(): Promise<string>;
  execute(changeSet: string): Promise<void>;
  baseUrl(): Promise<string | undefined>;
  smoke(argv: readonly string[]): Promise<void>;
}

/**
 * Deploys a stage: shows the changes, asks before anything is removed or replaced, tests the CloudFront functions before they are
 * published, and runs the smoke test.
 * @throws Error of the failed step
 */
export async function deploy(steps: DeploySteps, options: DeployOptions, io: CommandIo): Promise<void> {
  const say = (line: string) => void io.stdout.write(`${line}\n`);
  await steps.announce();
  const changeSet = `deploy-${new Date().toISOString().replaceAll(/[^0-9]/g, '')}`;
  say('Synthesizing, uploading and comparing ...');
  await steps.prepare(changeSet);
  const changes = await steps.changes(changeSet);
  if (changes === undefined) say('No changes.');
  else await execute(changeSet, changes, steps, options, io);
  if (!options.smoke) return;
  const url = await steps.baseUrl();
  if (url === undefined) throw new Error('The smoke test did not run: the stack has no output BaseUrl');
  const key = options.key === undefined ? [] : ['--key', options.key];
  await steps.smoke(['--url', url, ...key]).catch(() => {
    throw new Error(
      'The smoke test failed, but the new version is live: to roll back, see docs/operating.md#rolling-out-and-back',
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
  io.stdout.write(`Changes:\n${changeLines(changes, redFor(io)).join('\n')}\n`);
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
    const question = `${change.id}: ${lossLine(change)}. Type its name to continue`;
    await confirmByName(question, change.id, `--lose ${change.id}`, io);
  }
  if (yes || replaceable.length === 0) return;
  await confirm(`${replaceable.length} resources are removed or replaced. Continue?`, io);
}
