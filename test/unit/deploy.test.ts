import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readCapacity } from '../../bin/account-capacity.ts';
import { capacityNotice, reservesConcurrency, warningsOf } from '../../bin/notices.ts';
import { STATEFUL } from '../../bin/stack.ts';
import { parseConfig } from '../../lib/config.ts';
import { type AccountAnswers, type AwsCall, startAccount } from '../support/account.ts';
import { temporaryFolder } from '../support/at-end.ts';

const folder = temporaryFolder();

const NOT_SET = { CONFIG_FILE: undefined, CDK_DEFAULT_REGION: undefined, AWS_PROFILE: undefined };
const ANSWER = '<SetStackPolicyResponse/>';

it('protects the stack of the configuration: no update replaces or deletes what keeps data', async () => {
  const calls: AwsCall[] = [];
  const others = (call: AwsCall) => {
    calls.push(call);
    return [200, 'text/xml', ANSWER] as const;
  };
  const account = await startAccount({ quota: 1_000, unreserved: 1_000, others });
  const CONFIG_FILE = join(folder, 'beta.json');
  writeFileSync(CONFIG_FILE, JSON.stringify({ stage: 'beta' }));
  const env = { ...process.env, ...NOT_SET, ...account.env, CONFIG_FILE };
  try {
    await promisify(execFile)(process.execPath, ['bin/protect.ts'], { env });
  } finally {
    account.close();
  }
  const [sent] = calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  expect(sent).toMatchObject({ Action: 'SetStackPolicy', StackName: 'prompt-to-project-beta' });
  expect(JSON.parse(sent?.StackPolicyBody ?? '')).toEqual({
    Statement: [
      { Effect: 'Allow', Action: 'Update:*', Principal: '*', Resource: '*' },
      {
        Effect: 'Deny',
        Action: ['Update:Replace', 'Update:Delete'],
        Principal: '*',
        Resource: '*',
        Condition: { StringEquals: { ResourceType: STATEFUL } },
      },
    ],
  });
});

it('fails if the stack policy cannot be set', async () => {
  const account = await startAccount(undefined);
  const env = { ...process.env, ...NOT_SET, ...account.env };
  try {
    await expect(promisify(execFile)(process.execPath, ['bin/protect.ts'], { env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The stack policy was not set'),
    });
  } finally {
    account.close();
  }
});

describe('the warnings of a deploy', () => {
  const warnings = (config: object) => warningsOf(parseConfig(config, 'test'), Date.UTC(2026, 10, 1));

  it('name the shared origin of pages', () => {
    expect(warnings({})).toEqual([
      expect.stringMatching(/^Warning: anyone can publish pages, and without siteDomain /),
    ]);
  });

  it('name the models whose price is not known', () => {
    const found = warnings({
      providers: {
        'provider-a': { kind: 'anthropic', model: 'm1', apiKey: 'A_KEY' },
        'provider-b': { kind: 'openai-compatible', model: 'm2', baseUrl: 'https://vllm.example/v1' },
        'provider-c': { kind: 'anthropic', model: 'claude-sonnet-5-5', apiKey: 'A_KEY' },
        'provider-d': { kind: 'blueprint' },
      },
      prices: { m2: { input: 1, output: 2 } },
      siteDomain: 'sites.example.com',
      siteCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/sites',
    });
    expect(found).toEqual([expect.stringMatching(/^Warning: the price of m1 is not known, .* Set prices\["m1"\]\.$/)]);
  });
});

describe('the concurrency of the account', () => {
  const config = parseConfig({}, 'test');
  /** Hides the credentials of the machine that runs the test. */
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_ENDPOINT_URL', 'AWS_REGION'] as const;

  async function capacityIn(answers: AccountAnswers | undefined) {
    const account = await startAccount(answers);
    const before = names.map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, account.env);
    try {
      return await readCapacity('prompt-to-project-prod').catch((error: Error) => error);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      account.close();
    }
  }

  it('is reserved, with what the stack reserves already', async () => {
    const template = { Resources: { A: { Properties: { ReservedConcurrentExecutions: 900 } }, B: {} } };
    const capacity = await capacityIn({ quota: 1_000, unreserved: 105, template });
    expect(capacity).toEqual({ quota: 1_000, available: 1_000 });
    expect(reservesConcurrency(config, capacity)).toBe(true);
  });

  it('of a new account is too small to reserve: it says what breaks, and what to request', async () => {
    const capacity = await capacityIn({ quota: 10, unreserved: 10 });
    expect(reservesConcurrency(config, capacity)).toBe(false);
    const notice = capacityNotice(config, capacity);
    expect(notice).toContain('at most 10 invocations at a time in this account and region. The shares');
    expect(notice).toContain('need 950, so nothing is reserved');
    expect(notice).toContain('visitors a 429');
    expect(notice).toContain(
      'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
    );
  });

  it('is known for a stack whose first deployment has not begun, whose template is empty', async () => {
    const capacity = await capacityIn({ quota: 1_000, unreserved: 1_000, template: '' });
    expect(capacity).toEqual({ quota: 1_000, available: 1_000 });
  });

  it('is too small if other functions reserve it', async () => {
    const notice = capacityNotice(config, await capacityIn({ quota: 1_000, unreserved: 105 }));
    expect(notice).toContain('of which others reserve 895');
    expect(notice).toContain('--desired-value 1845');
  });

  it('is not known without permission: that prevents no deploy', async () => {
    const capacity = await capacityIn(undefined);
    expect(reservesConcurrency(config, capacity)).toBe(true);
    expect(capacityNotice(config, capacity)).toMatch(/cannot be read \(.*\), so 850 invocations are reserved/);
  });
});
