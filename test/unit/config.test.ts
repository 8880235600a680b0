import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig, readConfig } from '../../lib/config.ts';
import { emptyFolder } from '../support/at-end.ts';
import { testRows } from '../support/rows.ts';

const provider = (config: unknown) => ({ providers: { 'provider-a': config } });
const bedrock = { kind: 'bedrock', model: 'm' };
const KEYS =
  'stage, providers, generation, routing, prices, budgets, bytesPerDay, concurrency, throttle, tables, apiGatewayDoor, waf, webAclArn, rateLimit, oauth, deployments, alarms, tracing, analytics, canary, gate, logs, webhooks, data, builds, look, assets, abuse, rollout, deletionProtection, hostedZones, domainName, certificateArn, siteDomain, siteCertificateArn, customDomains';

describe('a configuration mistake', () => {
  testRows<[unknown, string]>([
    [[], '(the file): must be an object, not an array'],
    [{ provders: {} }, `(the file): unknown key "provders" (did you mean "providers"?): the keys are ${KEYS}`],
    [
      { domainName: 'ptp.example.com' },
      '(the file): domainName and certificateArn must be set together, unless hostedZones has the zone of the domain',
    ],
    [
      { certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/a' },
      '(the file): domainName and certificateArn must be set together, unless hostedZones has the zone of the domain',
    ],
    [
      { siteDomain: 'sites.example.net', hostedZones: [] },
      '(the file): siteDomain and siteCertificateArn must be set together, unless hostedZones has the zone of the domain',
    ],
    [
      {
        domainName: 'a.b.example.com',
        hostedZones: ['example.com', 'b.example.com'].map((name) => ({ id: 'Z1', name })),
      },
      'hostedZones: must be zones of domainName or siteDomain: remove zones that contain neither',
    ],
    [
      { hostedZones: [{ id: '/hostedzone/Z1', name: 'example.com' }] },
      'hostedZones.0.id: must be the id of a hosted zone, such as Z0123456789ABCDEFGHIJ',
    ],
    [{ Stage: 'a' }, `(the file): unknown key "Stage" (did you mean "stage"?): the keys are ${KEYS}`],
    [
      { rateLimit: { window: 1, keys: 2 } },
      'rateLimit: unknown key "window" and "keys" (did you mean "key"?): the keys are windowSeconds, anonymous, key, reads, zips, reports',
    ],
    [
      { providers: { 'provider-b1': bedrock, 'provider-a': bedrock } },
      'providers: unknown key "provider-b1" (did you mean "provider-b"?): the keys are provider-a, provider-b, provider-c, provider-d',
    ],
    [{ providers: 'blueprint' }, 'providers: must be an object, not a string'],
    [provider('blueprint'), 'providers.provider-a: must be an object with a kind, such as { "kind": "blueprint" }'],
    [
      provider({}),
      'providers.provider-a.kind: kind is required: one of bedrock, anthropic, openai, google, openai-compatible, blueprint',
    ],
    [
      provider({ kind: 'gpt' }),
      'providers.provider-a.kind: kind must be one of bedrock, anthropic, openai, google, openai-compatible, blueprint, not "gpt"',
    ],
    [provider({ ...bedrock, region: 7 }), 'providers.provider-a.region: must be a string, not 7'],
    [
      provider({ ...bedrock, maxOutputTokens: '9' }),
      'providers.provider-a.maxOutputTokens: must be a number, not a string',
    ],
    [
      provider({ kind: 'scripted', script: 'sing' }),
      'providers.provider-a.script: must be one of answer, hang, block, fail, cut, not "sing"',
    ],
    [provider({ kind: 'scripted' }), 'providers.provider-a.script: is required'],
    [{ stage: null }, 'stage: must be a string, not null'],
    [
      { generation: { providerTimeoutSeconds: '120' } },
      'generation.providerTimeoutSeconds: must be a number, not a string',
    ],
    [
      { generation: { providerTimeoutSeconds: 1.5 } },
      'generation.providerTimeoutSeconds: must be a whole number, not 1.5',
    ],
    [
      { generation: { providerTimeoutSeconds: 781 } },
      'generation.providerTimeoutSeconds: must be at most 780 while look.enabled is true: a Lambda function ends after 15 minutes',
    ],
    [{ generation: { stallSeconds: 0 } }, 'generation.stallSeconds: must be more than 0, not 0'],
    [{ rateLimit: { anonymous: -1 } }, 'rateLimit.anonymous: must be at least 1, not -1'],
    [
      { rateLimit: { anonymous: 1e16 } },
      'rateLimit.anonymous: must be at most 9007199254740991, not 10000000000000000',
    ],
    [{ rateLimit: 10 }, 'rateLimit: must be an object, not 10'],
    [{ assets: { types: 'image/*' } }, 'assets.types: must be an array, not a string'],
    [{ assets: { types: [] } }, 'assets.types: must list at least one media type'],
    [{ oauth: 'https://a' }, 'oauth: must be "cognito", or an object with issuer and audience'],
    [{ oauth: 7 }, 'oauth: must be "cognito", or an object with issuer and audience'],
    [{ gate: { keyPoints: 40 } }, 'gate: keyPoints must not be less than anonymousPoints'],
    [{ gate: { anonymousPoints: 5 } }, 'gate.anonymousPoints: must be at least 10, not 5'],
    [
      { domainName: 'https://ptp.example.com' },
      'domainName: must be a domain name in lower case, such as sites.example.com',
    ],
  ])('is explained', (config, message) => {
    expect(() => parseConfig(config, 'c.json')).toThrow(new Error(`Invalid configuration c.json:\n  ${message}`));
  });

  it('lists several mistakes on a line each', () => {
    expect(() => parseConfig({ stage: 7, rateLimit: { key: 0 } }, 'c.json')).toThrow(
      new Error(
        'Invalid configuration c.json:\n  stage: must be a string, not 7\n  rateLimit.key: must be at least 1, not 0',
      ),
    );
  });

  it('does not show a misplaced string, which may be an API key', () => {
    expect(() => parseConfig(provider('sk-ant-secret'), 'c.json')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });
});

describe('the configuration file', () => {
  const folder = emptyFolder();
  const file = join(folder, 'c.json');

  it('may start with a byte order mark', () => {
    writeFileSync(file, '\uFEFF{ "stage": "a" }');
    expect(readConfig(file).stage).toBe('a');
  });

  it('is named when it is missing, a folder or not JSON', () => {
    expect(() => readConfig(file)).toThrow(`The configuration ${file} does not exist: create it, or set CONFIG_FILE`);
    expect(() => readConfig(folder)).toThrow(`The configuration ${folder} cannot be read: `);
    writeFileSync(file, '{ "stage": "a", }');
    expect(() => readConfig(file)).toThrow(`The configuration ${file} is not JSON: `);
  });
});
