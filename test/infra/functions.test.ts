import { CANARY_KEY_ID } from '../../lambda/platform/env.ts';
import { PRICE } from './stages.ts';
import {
  propertiesOf,
  type Resource,
  resourceOf,
  resources,
  type Template,
  templateOf,
  withoutHash,
} from './templates.ts';

const template = templateOf('byDefault');
const all = (type: string) => resources(template, type);
const full = templateOf('full');
const lean = templateOf('lean');
const zones = templateOf('zones');
/** Our functions; the one that copies the pages at deploy time is the CDK's. */
const functions = all('AWS::Lambda::Function').filter(([id]) => !id.startsWith('CustomCDK'));

describe('the functions', () => {
  it('give the browser nothing but sites, which come as presigned URLs, and each tenant its instances', () => {
    const [, { Properties }] = functions.find(([id]) => id.startsWith('LooksLook')) as [string, Resource];
    expect(Properties.TenancyConfig).toEqual({ TenantIsolationMode: 'PER_TENANT' });
    expect(Properties.ReservedConcurrentExecutions).toBe(20);
    expect(Properties.Environment).toBeUndefined();
  });

  it('give builds their packages only, and each tenant its instances: all else comes as presigned URLs', () => {
    const [, { Properties }] = functions.find(([id]) => id.startsWith('BuildsBuild')) as [string, Resource];
    expect(Properties.TenancyConfig).toEqual({ TenantIsolationMode: 'PER_TENANT' });
    const policies = all('AWS::IAM::Policy').filter(([id]) => id.startsWith('BuildsBuild'));
    const text = JSON.stringify(policies.map(([, policy]) => policy.Properties.PolicyDocument.Statement));
    expect(text.match(/"Arn"\]},"\/[a-z]+\/\*"/g)).toEqual(['"Arn"]},"/packages/*"']);
  });

  it('run on the processors of their packages, and end before their callers', () => {
    for (const [id, { Properties }] of functions) {
      const Architectures = [id.startsWith('LooksLook') ? 'x86_64' : 'arm64'];
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures });
    }
    // API Gateway waits 29 s, a deploy 25 s for a build; the stream of a generation lasts longer.
    const timeouts = { DeploymentsApi: 29, AssetsApi: 29, McpServer: 29, BuildsBuild: 25, LooksLook: 60 };
    for (const [name, seconds] of Object.entries({ ...timeouts, GenerationApi: 900, GenerationAttempt: 240 }))
      expect([name, resourceOf(template, 'AWS::Lambda::Function', name).Properties.Timeout]).toEqual([name, seconds]);
  });

  it('write no START and REPORT lines for visits, which would cost more than the visits', () => {
    const quiet = functions.filter(([, { Properties }]) => Properties.LoggingConfig.SystemLogLevel === 'WARN');
    expect(quiet.map(([id]) => withoutHash(id))).toEqual(['DeploymentsSite']);
  });

  it('fetch the secrets of ids and tokens, which no environment or distribution has', () => {
    const resolved = JSON.stringify(all('AWS::Lambda::Function').concat(all('AWS::CloudFront::Distribution')));
    const references = resolved.match(/resolve:secretsmanager:[^}]*?"Ref":"(\w+)"/g) ?? [];
    expect(new Set(references.map((text) => /"Ref":"(\w+)"/.exec(text)?.[1]))).toEqual(
      new Set(['AccessOriginSecret09FAC01F']),
    );
    const fetching = functions.filter(
      ([, { Properties }]) => 'ID_SECRET_ARN' in (Properties.Environment?.Variables ?? {}),
    );
    expect(fetching.map(([id]) => withoutHash(id)).toSorted()).toEqual([
      'DeploymentsApi',
      'DeploymentsGenerated',
      'GenerationApi',
    ]);
  });

  it('have permissions for their own resources only', () => {
    // Actions without resource-level permissions, or on what has no ARN before it is created.
    const unlimited = /^(logs:|xray:|acm:RequestCertificate|cloudfront:CreateDistributionTenant)/;
    for (const [id, { Properties }] of resources(full, 'AWS::IAM::Policy')) {
      for (const { Action, Resource } of Properties.PolicyDocument.Statement) {
        if (Resource !== '*') continue;
        const limited = [Action].flat().filter((action: string) => !unlimited.test(action));
        expect([id, limited]).toEqual([id, []]);
      }
    }
    const managed = all('AWS::IAM::Role').filter(
      ([id, { Properties }]) => !id.startsWith('CustomCDK') && Properties.ManagedPolicyArns,
    );
    // Only CodeDeploy can assume it.
    expect(managed.map(([id]) => id)).toEqual([expect.stringMatching(/^RolloutRole/)]);
  });
});

it('functions that deploy or serve pages know which are held, unless the gate is off', () => {
  const gates = (one: Template) =>
    resources(one, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) => {
      const { GATE, BAD_URLS } = Properties.Environment?.Variables ?? {};
      return GATE === undefined ? [] : [[withoutHash(id), JSON.parse(GATE), BAD_URLS]];
    });
  const shares = (bounds: object, list?: string) => [
    ['DataApi', bounds, undefined],
    ['DeploymentsApi', bounds, list],
    ['DeploymentsDownload', bounds, undefined],
    ['DeploymentsGenerated', bounds, list],
    ['DeploymentsSite', bounds, undefined],
  ];
  expect(gates(template).toSorted()).toEqual(shares({ anonymousPoints: 50, keyPoints: 100 }));
  expect(gates(full).toSorted()).toEqual(shares({ anonymousPoints: 30, keyPoints: 100 }, 'bad-urls.txt'));
  expect(gates(lean)).toEqual([]);
});

/** The reservations by function. */
function reserved(template: Template): Record<string, number> {
  const found = resources(template, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) => {
    const { ReservedConcurrentExecutions: value } = Properties;
    return value === undefined ? [] : [[withoutHash(id), value] as const];
  });
  return Object.fromEntries(found);
}

describe('reserved concurrency', () => {
  it('leaves a flood on one function no share of another, and 150 of a usual quota of 1,000', () => {
    const sum = Object.values(reserved(template)).reduce((all, one) => all + one, 0);
    // An update that moves a share to another function raises before it lowers.
    expect(sum).toBeLessThanOrEqual(850);
  });

  it('comes from the configuration', () => {
    expect(reserved(full)).toMatchObject({ DeploymentsSite: 7, DeploymentsWithdrawalWithdraw: 1 });
  });
});

describe('the function that calls providers', () => {
  const statements = (from: Template) =>
    (resourceOf(from, 'AWS::IAM::Policy', 'GenerationAttempt').Properties.PolicyDocument.Statement as object[])
      .map((statement) => JSON.stringify(statement))
      .filter((text) => /bedrock|secretsmanager/.test(text));
  const variables = (from: Template) =>
    Object.assign({}, ...propertiesOf(from, 'AWS::Lambda::Function').map(({ Environment }) => Environment?.Variables));

  it('may read the keys that are configured and no other secret', () => {
    const found = statements(full).filter((text) => text.includes('secretsmanager'));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('"secretsmanager:GetSecretValue"');
    expect(found[0]).toContain(':secret:ANTHROPIC_API_KEY-??????"');
  });

  it('gets the configured prices of its models only', () => {
    expect(JSON.parse(variables(full).PRICES)).toEqual({ 'zai.glm-4.6': PRICE });
  });

  it('may call its models on Bedrock, where they are, and profiles in the regions that they lead to', () => {
    const found = statements(full).filter((text) => text.includes('bedrock'));
    const all = found.join('');
    expect(all).toContain('"bedrock:InvokeModelWithResponseStream"');
    expect(all).toContain(':bedrock:eu-west-1::foundation-model/zai.glm-4.6"');
    expect(all).not.toContain('inference-profile/zai');
    expect(all).toContain(':inference-profile/us.anthropic.claude-x-v1:0"');
    expect(all).toContain(':bedrock:*::foundation-model/anthropic.claude-x-v1:0"');
  });

  it('has budgets as soon as a provider costs money', () => {
    const defaults = { anonymous: { usd: 5 }, key: { usd: 10 }, service: { usd: 50 } };
    expect(JSON.parse(variables(zones).BUDGETS)).toEqual(defaults);
    expect(JSON.parse(variables(full).BUDGETS)).toEqual({ ...defaults, anonymous: { tokens: 7 } });
    expect(JSON.parse(variables(template).BUDGETS)).toEqual({});
  });

  it('may do nothing of it for the embedded provider', () => {
    expect(statements(template)).toEqual([]);
  });
});

it('copies the pages of the service one kind after another, with an invocation at a time', () => {
  const [first, ...others] = resources(template, 'Custom::CDKBucketDeployment');
  expect(others.length).toBeGreaterThan(4);
  let last = first?.[0];
  for (const [id, { DependsOn }] of others) {
    expect(DependsOn).toContain(last);
    last = id;
  }
});

describe('the canary', () => {
  const canary = (from: Template) =>
    propertiesOf(from, 'AWS::Lambda::Function').find(({ Handler, Description }) =>
      /visitors and callers/.test(`${Handler} ${Description}`),
    );
  const settings = (from: Template) => JSON.parse(canary(from)?.Environment.Variables.CANARY);

  it('runs every five minutes, once: a repetition would hide a failure', () => {
    const [id] = resources(template, 'AWS::Lambda::Function').find(([name]) => name.startsWith('Canary')) ?? [];
    const rules = propertiesOf(template, 'AWS::Events::Rule').filter(({ Targets }) =>
      JSON.stringify(Targets).includes(`"${id}"`),
    );
    expect(rules).toMatchObject([{ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' }]);
    const invoked = { FunctionName: { Ref: id }, MaximumRetryAttempts: 0 };
    expect(propertiesOf(template, 'AWS::Lambda::EventInvokeConfig')).toMatchObject([invoked]);
  });

  it('generates with the embedded provider, or hourly if configured, and knows how stale a page may be', () => {
    expect(settings(template)).toEqual({ staleMs: 0, generate: { model: 'provider-a', every: 'run' } });
    expect(settings(full)).toEqual({ staleMs: 0, generate: { model: 'provider-d', every: 'run' } });
    expect(settings(zones)).toEqual({ staleMs: 330_000, generate: { model: 'auto', every: 'hour' } });
  });

  it('may only write its own key and read the state of the stage', () => {
    const statements = resources(template, 'AWS::IAM::Policy')
      .filter(([name]) => name.startsWith('Canary'))
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .filter(({ Action }) => !JSON.stringify(Action).includes('logs:'));
    const on = (key: string) => ({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [key] } });
    expect(statements).toMatchObject([
      { Action: 'dynamodb:PutItem', Condition: on(CANARY_KEY_ID) },
      { Action: 'dynamodb:GetItem', Condition: on('#stage') },
    ]);
    expect(statements).toHaveLength(2);
  });

  it('is omitted if the configuration turns it off', () => {
    expect(resources(lean, 'AWS::Lambda::Function').filter(([id]) => id.startsWith('Canary'))).toEqual([]);
  });
});
