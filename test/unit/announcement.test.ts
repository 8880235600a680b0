import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AccountAnswers, startAccount } from '../support/account.ts';

const folder = mkdtempSync(join(tmpdir(), 'ptp-announce-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the first step of `npm run deploy`. */
async function announce(variables: NodeJS.ProcessEnv): Promise<string> {
  const { CONFIG_FILE: _, ...inherited } = process.env;
  const env = { ...inherited, ...NO_CREDENTIALS, ...variables };
  return (await promisify(execFile)(process.execPath, ['bin/announce.ts'], { env })).stdout;
}

/** Also hides those of the machine that runs the test. */
const NO_CREDENTIALS = {
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
  AWS_CONFIG_FILE: join(folder, 'none'),
  AWS_REGION: 'us-east-1',
};

/** Returns what a deploy says about concurrency in an account. */
async function concurrencyIn(answers: AccountAnswers | undefined): Promise<string> {
  const account = await startAccount(answers);
  try {
    const printed = await announce(account.env);
    return printed.slice(printed.indexOf('Concurrency:'));
  } finally {
    account.close();
  }
}

function configured(config: object): NodeJS.ProcessEnv {
  const file = join(folder, 'stage.json');
  writeFileSync(file, JSON.stringify(config));
  return { CONFIG_FILE: file };
}

it('fails for an invalid configuration, which prevents the deploy', async () => {
  await expect(announce(configured({ providers: {} }))).rejects.toMatchObject({ code: 1 });
});

it('names the default configuration, whose provider is free, whatever keys are in the environment', async () => {
  expect((await announce({ ANTHROPIC_API_KEY: 'k' })).split('\n')).toEqual([
    'Deploying the stage prod with config/default.json; CONFIG_FILE names another configuration. Providers:',
    '  provider-a: blueprint, free',
    'No model is called, so generations cost nothing beyond AWS.',
    'Access tokens: none are accepted, because oauth is not set. If this stack has a Cognito user pool, the deploy deletes it: set "oauth": "cognito" to keep it.',
    expect.stringMatching(/^Warning: anyone can publish pages, and without siteDomain /),
    expect.stringMatching(/^Concurrency: /),
    '',
  ]);
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
      siteDomain: 'sites.example.com',
      siteCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/sites',
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
    expect.stringMatching(/^Concurrency: /),
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
  expect(printed).not.toContain('the price of');
});

describe('the concurrency of the account', () => {
  it('is named with the shares of the functions', async () => {
    expect(await concurrencyIn({ quota: 1_000, unreserved: 1_000 })).toBe(
      'Concurrency: at most 1000 invocations at a time in this account and region. Reserved (concurrency): 900, which are ' +
        'generationApi 300, attempts 180, sites 200, deployments 50, generatedDeploys 30, webhooks 20, invalidations 5, agents 30, downloads 20, builds 40, looks 20, deploymentLooks 5.\n',
    );
  });

  it('includes what the stack reserves already', async () => {
    const template = { Resources: { A: { Properties: { ReservedConcurrentExecutions: 900 } }, B: {} } };
    const printed = await concurrencyIn({ quota: 1_000, unreserved: 105, template });
    expect(printed).toContain('Reserved (concurrency): 900');
  });

  it('of a new account is too small to reserve: it says what breaks, and what to request', async () => {
    const printed = await concurrencyIn({ quota: 10, unreserved: 10 });
    expect(printed).toContain('at most 10 invocations at a time in this account and region. The shares');
    expect(printed).toContain('need 1000, so nothing is reserved');
    expect(printed).toContain('visitors a 429');
    expect(printed).toContain(
      'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
    );
  });

  it('is too small if other functions reserve it', async () => {
    const printed = await concurrencyIn({ quota: 1_000, unreserved: 105 });
    expect(printed).toContain('of which others reserve 895');
    expect(printed).toContain('so nothing is reserved');
    expect(printed).toContain('--desired-value 1895');
  });

  it('is not known without permission or credentials: that prevents no deploy', async () => {
    const reserved = '900 invocations are reserved as configured';
    expect(await concurrencyIn(undefined)).toContain(reserved);
    const printed = await announce({});
    expect(printed).toMatch(/cannot be read \(.*credentials.*\), so 900/i);
  });
});
