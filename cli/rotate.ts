import { randomBytes } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { StageState } from '../lambda/access/stage-state.ts';
import {
  addVersion,
  newestVersion,
  readTokenVersions,
  USED_AFTER_MS,
  writeTokenVersions,
} from '../lambda/stored/deployment-tokens.ts';
import { main as command, EXIT_CODES_OF_OPERATORS, runProcess } from '../terminal/program.ts';
import { graceMs, timestamp } from '../terminal/text.ts';
import { OriginRotation, ROTATION_WAITS } from './rotate/origin.ts';
import { addStageOption, openStage, type Stage } from './stage.ts';

const NOTES = `
Both replace a secret without a deployment, and fail no request. A rotation that
was interrupted continues when the command is run again.

origin takes as long as CloudFront needs to deploy a change, usually a few
minutes. Run no deployment of the stack at the same time.

${EXIT_CODES_OF_OPERATORS}`;

interface Options {
  readonly grace?: string;
  readonly stack?: string;
}

export const main = command('npm run rotate --', (program, { stdout, env }) => {
  const say = (line: string) => void stdout.write(`${line}\n`);
  addStageOption(program).description('Replaces a secret of a service').addHelpText('after', NOTES);
  program
    .command('tokens')
    .description('replace the secret that the tokens of deployments derive from')
    .option('--grace <duration>', 'how long the tokens so far stay valid', '30d')
    .action(async (_, own) => {
      const { grace = '30d', stack } = own.optsWithGlobals() as Options;
      const keptMs = graceMs(grace);
      using stage = await openStage(stack, env);
      const { version, from, until } = await rotateTokens(stage.secrets, stage.output('TokenSecret'), keptMs);
      say(`Version ${version} is added. New tokens use it from ${timestamp(from)}, when every instance knows it.`);
      say(`Older tokens are valid until ${timestamp(until)}. A deploy that sends one gets a new one in its response.`);
    });
  program
    .command('origin')
    .description('replace the secret by which functions recognize the requests of CloudFront')
    .action(async (_, own) => {
      using stage = await openStage((own.optsWithGlobals() as Options).stack, env);
      await rotateOrigin(stage, say);
    });
});

/** @param waits of tests */
export async function rotateOrigin(
  { db, secrets, cloudFront, output, optionalOutput }: Stage,
  say: (line: string) => void,
  waits = ROTATION_WAITS,
): Promise<void> {
  const tenants = optionalOutput('TenantsDistribution');
  const distributions = [output('Distribution'), output('PagesDistribution'), ...(tenants ? [tenants] : [])];
  const rotation = new OriginRotation({
    secrets,
    secretId: output('OriginSecret'),
    cloudFront,
    distributions: [...new Set(distributions)],
    state: new StageState(db, output('RateLimitsTable'), Date.now),
    say,
    waits,
  });
  await rotation.run();
}

/**
 * Adds a version of the secret of tokens. Two rotations at the same time leave one version, because no token uses it before
 * every instance has read the last version.
 * @param graceMs how long older tokens are valid after new ones use the new version
 * @returns the version, and times in Unix milliseconds
 * @throws Error while new tokens do not use the version of the last rotation yet
 */
async function rotateTokens(
  secrets: SecretsManagerClient,
  secretId: string,
  graceMs: number,
  now = Date.now(),
): Promise<{ readonly version: number; readonly from: number; readonly until: number }> {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: secretId }));
  const versions = readTokenVersions(SecretString);
  const newest = newestVersion(versions);
  const usedFrom = versions.useFrom[newest] ?? 0;
  if (usedFrom > now)
    throw new Error(
      `Version ${newest} was just added, and new tokens use it from ${timestamp(usedFrom)}: rotate again after that, if at all`,
    );
  const from = now + USED_AFTER_MS;
  const until = from + graceMs;
  const next = addVersion(versions, randomBytes(36).toString('base64url'), { now, from, until });
  await secrets.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: writeTokenVersions(next) }));
  return { version: newestVersion(next), from, until };
}

if (import.meta.main) await runProcess(main);
