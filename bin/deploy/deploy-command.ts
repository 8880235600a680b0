import { join } from 'node:path';
import { CERTIFICATES_REGION } from '../../lib/certificates-stack.ts';
import type { StageConfig } from '../../lib/config.ts';
import { makesCertificates } from '../../lib/front-door/dns.ts';
import { main as command, EXIT_CODES_OF_OPERATORS } from '../../terminal/program.ts';
import { regionOf, stackNameOf } from '../stack-name.ts';
import { type DeploySteps, deploy } from './deploy.ts';
import { testEdgeFunctions } from './edge-functions.ts';
import { CDK, run, runQuietly } from './run.ts';
import { DeployedStack } from './stack.ts';
import { stageFileOf } from './stage-file.ts';
import { readTemplate } from './template-file.ts';

const NOTES = `
Shows what changes, and asks before a resource is removed or replaced; a resource
with data needs its name typed, or --lose. The functions of pages, deploys and
generations get 10 % of the requests for five minutes first. Then the smoke test
runs.

${EXIT_CODES_OF_OPERATORS}`;

interface Options {
  readonly stage?: string;
  readonly yes?: boolean;
  readonly lose?: string[];
  readonly key?: string;
  readonly smoke: boolean;
}

/** `npm run deploy` */
export const main = command('npm run deploy --', (program, io) => {
  program
    .description('Deploys a stage to the AWS account of the environment')
    .option('--stage <name>', 'the stage, whose configuration is config/<name>.json if that exists')
    .option('-y, --yes', 'do not ask about resources that hold nothing')
    .option('--lose <ids...>', 'logical ids of resources that may be removed or replaced with what they hold')
    .option(
      '--key <key>',
      'an API key with the scope assets:write for the smoke test, which is faster with it',
    )
    .option('--no-smoke', 'do not run the smoke test')
    .addHelpText('after', NOTES)
    .action(async ({ stage, yes = false, lose = [], key, smoke }: Options) => {
      const { file, config } = stageFileOf(stage, io.env);
      const env = { ...io.env, CONFIG_FILE: file };
      const stack = new DeployedStack(stackNameOf(config), env);
      await deploy(stepsOf(stack, env, hasOwnCertificates(config, env)), { yes, lose, key, smoke }, io);
    });
});

const OUTPUT = 'cdk.out';

/** Whether a stack of its own has the certificates, where CloudFront requires them. */
function hasOwnCertificates(config: StageConfig, env: NodeJS.ProcessEnv): boolean {
  return makesCertificates(config) && regionOf(env) !== CERTIFICATES_REGION;
}

/** @param ownCertificates whether a stack of its own has the certificates */
function stepsOf(stack: DeployedStack, env: NodeJS.ProcessEnv, ownCertificates: boolean): DeploySteps {
  // The command itself asks about the changes.
  const argv = (method: string, changeSet: string) => [
    'deploy',
    stack.name,
    '--exclusively',
    '--method',
    method,
    '--change-set-name',
    changeSet,
    '--require-approval',
    'never',
  ];
  return {
    async announce() {
      await run('bin/announce.ts', [], env);
      // Fails here without credentials, instead of after the synthesis.
      await stack.status();
    },
    async prepare(changeSet) {
      // It holds nothing else, and the change set of the other one needs its outputs.
      const first = ['deploy', `${stack.name}-certificates`, '--exclusively', '--require-approval', 'never'];
      if (ownCertificates) await run(CDK, first, env);
      await runQuietly(CDK, [...argv('prepare-change-set', changeSet), '--output', OUTPUT], env);
    },
    changes: (changeSet) => stack.changes(changeSet),
    discard: (changeSet) => stack.discard(changeSet),
    testEdge: () => testEdgeFunctions(readTemplate(join(OUTPUT, `${stack.name}.template.json`))),
    execute: (changeSet) => run(CDK, [...argv('execute-change-set', changeSet), '--app', OUTPUT], env),
    baseUrl: () => stack.output('BaseUrl'),
    smoke: (argv) => run('cli/smoke.ts', argv, env),
  };
}
