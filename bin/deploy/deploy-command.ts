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
Shows the changes, and asks before a resource is removed or replaced; for a resource
with data, type its name or pass --lose. The new version of the functions of pages,
deploys and generations gets 10 % of the requests for five minutes first. The smoke
test runs last.

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
    .option('-y, --yes', 'do not ask about resources without data')
    .option('--lose <ids...>', 'logical ids of resources that may be removed or replaced with their data')
    .option('--key <key>', 'an API key with the scope assets:write, which makes the smoke test faster')
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

/** Reports whether the certificates are in a separate stack, in the region that CloudFront requires. */
function hasOwnCertificates(config: StageConfig, env: NodeJS.ProcessEnv): boolean {
  return makesCertificates(config) && regionOf(env) !== CERTIFICATES_REGION;
}

/** @param ownCertificates whether the certificates are in a separate stack */
function stepsOf(stack: DeployedStack, env: NodeJS.ProcessEnv, ownCertificates: boolean): DeploySteps {
  // This command asks about the changes itself.
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
      // Without credentials, this fails before the synthesis.
      await stack.status();
    },
    async prepare(changeSet) {
      // The change set of the main stack needs the outputs of this stack, which contains nothing else to ask about.
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
