import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const folder = mkdtempSync(join(tmpdir(), 'ptp-announce-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs what `npm run deploy` runs before the CDK. */
async function announce(variables: NodeJS.ProcessEnv): Promise<string> {
  const { CONFIG_FILE: _, ...inherited } = process.env;
  const env = { ...inherited, ...variables };
  return (await promisify(execFile)(process.execPath, ['bin/announce.ts'], { env })).stdout;
}

function configured(config: object): NodeJS.ProcessEnv {
  const file = join(folder, 'stage.json');
  writeFileSync(file, JSON.stringify(config));
  return { CONFIG_FILE: file };
}

it('comes before the deploy, which a mistake prevents', async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { deploy: string } };
  expect(scripts.deploy).toMatch(/ bin\/announce\.ts && cdk deploy$/);
  await expect(announce(configured({ providers: {} }))).rejects.toMatchObject({ code: 1 });
});

it('names the default configuration, whose provider is free, whatever keys are in the environment', async () => {
  expect(await announce({ ANTHROPIC_API_KEY: 'k' })).toBe(
    [
      'Deploying the stage prod with config/default.json; CONFIG_FILE names another configuration. Providers:',
      '  provider-a: blueprint, free',
      'No model is called, so generations cost nothing beyond AWS.',
      'Access tokens: none are accepted, because oauth is not set. If this stack has a Cognito user pool, the deploy deletes it: set "oauth": "cognito" to keep it.\n',
    ].join('\n'),
  );
});

it('says who pays for each provider, and that anyone can cause it', async () => {
  const printed = await announce(
    configured({
      stage: 'beta',
      providers: {
        'provider-a': { kind: 'anthropic', model: 'm1', apiKey: 'A_KEY' },
        'provider-b': { kind: 'bedrock', model: 'm2' },
        'provider-c': { kind: 'openai-compatible', model: 'm3', baseUrl: 'https://vllm.example/v1' },
        'provider-d': { kind: 'blueprint' },
      },
      rateLimit: { anonymous: 7, windowSeconds: 30 },
      budgets: { anonymous: { usd: 2.5, tokens: 1_000_000 }, key: {} },
      prices: { m3: { input: 1, output: 2 } },
      oauth: 'cognito',
    }),
  );
  expect(printed.split('\n')).toEqual([
    expect.stringMatching(/^Deploying the stage beta with .*stage\.json; /),
    '  provider-a: m1 (anthropic), billed per token to the key in the secret A_KEY',
    '  provider-b: m2 on Amazon Bedrock, billed per token to this AWS account',
    '  provider-c: m3 (https://vllm.example/v1), without a key',
    '  provider-d: blueprint, free',
    expect.stringContaining('Anyone can start 7 generations in 30 s per address'),
    expect.stringContaining('The most that calls of models can cost in a UTC day'),
    '  all callers together: $50.00 (budgets.service, the default)',
    '  all callers without a key: $2.50 and 1,000,000 tokens (budgets.anonymous)',
    '  each key or access token: no limit (budgets.key); keys can have budgets of their own',
    expect.stringMatching(/^Warning: the price of m1 is not known, .* Set prices\["m1"\]\.$/),
    expect.stringContaining('the price of m2 is not known'),
    '',
  ]);
});

it('says who can generate if callers without a key cannot', async () => {
  const printed = await announce(
    configured({
      providers: { 'provider-a': { kind: 'anthropic', model: 'claude-sonnet-5-5', apiKey: 'A_KEY' } },
      generation: { anonymous: false },
    }),
  );
  expect(printed).toContain('Only callers with a key or token can start one.');
  expect(printed).toContain('all callers without a key: nothing, because generation.anonymous is false');
  expect(printed).not.toContain('Warning');
});
