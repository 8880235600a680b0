import { StageState } from '../../lambda/access/stage-state.ts';
import { main as command, EXIT_CODES_OF_OPERATORS } from '../../terminal/program.ts';
import { graceMs, timestamp } from '../../terminal/time.ts';
import { addStageOption, openStage, type Stage } from '../stage.ts';
import { OriginRotation, ROTATION_WAITS } from './origin.ts';
import { rotateTokens } from './tokens.ts';

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

/** `npm run rotate` */
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
      say(
        `Version ${version} is added. New tokens use it from ${timestamp(from)}, when every instance knows it.`,
      );
      say(
        `Older tokens are valid until ${timestamp(until)}. A deploy that sends one gets a new one in its response.`,
      );
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
  { db, secrets, cloudFront, output }: Stage,
  say: (line: string) => void,
  waits = ROTATION_WAITS,
): Promise<void> {
  const rotation = new OriginRotation({
    secrets,
    secretId: output('OriginSecret'),
    cloudFront,
    distributions: [...new Set([output('Distribution'), output('PagesDistribution')])],
    state: new StageState(db, output('RateLimitsTable'), Date.now),
    say,
    waits,
  });
  await rotation.run();
}
