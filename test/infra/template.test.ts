import { REFUSED_ID } from '../../lambda/platform/env.ts';
import { propertiesOf, type Resource, resources, synthesized, type Template } from './synthesized.ts';

const certificate = (name: string) => `arn:aws:acm:us-east-1:111122223333:certificate/${name}`;
/** Of the function that calls providers. */
const PROVIDERS = [
  {
    'provider-a': { kind: 'anthropic', model: 'm', apiKey: 'ANTHROPIC_API_KEY' },
    'provider-b': { kind: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:11434/v1' },
  },
  {
    'provider-a': { kind: 'bedrock', model: 'zai.glm-4.6', region: 'eu-west-1' },
  },
  { 'provider-a': { kind: 'bedrock', model: 'us.anthropic.claude-x-v1:0' } },
  { 'provider-a': { kind: 'blueprint' } },
];
const PRICE = { input: 1, output: 2 };
/** Of a configured model and of another one. */
const PRICES = { 'zai.glm-4.6': PRICE, another: PRICE };
const [template, localSites, ownSites, ownName, ...withProviders] = synthesized(
  { stage: 'prod', oauth: 'cognito' },
  { siteDomain: 'sites.localhost', gate: { enabled: false, badUrls: 'package.json' } },
  {
    siteDomain: 'sites.example.com',
    siteCertificateArn: certificate('sites'),
    deployments: { edgeSeconds: 30 },
    gate: { anonymousPoints: 30, badUrls: 'package.json' },
  },
  {
    domainName: 'ptp.example.com',
    certificateArn: certificate('abc'),
    deletionProtection: true,
    webhooks: { allowPrivateAddresses: true },
  },
  { providers: PROVIDERS[0] },
  { providers: PROVIDERS[1], prices: PRICES, budgets: { anonymous: { tokens: 7 } } },
  { providers: PROVIDERS[2] },
  { providers: PROVIDERS[3] },
) as [Template, Template, Template, Template, ...Template[]];
/** Kept with the stack's end, but deleted when the deploy that creates it fails. */
const RETAINED = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };
const all = (type: string) => resources(template, type);
const lifecycleRules = () =>
  propertiesOf(template, 'AWS::S3::Bucket').flatMap(
    ({ LifecycleConfiguration }) => LifecycleConfiguration?.Rules ?? [],
  );
/** Our functions; the one that copies the pages at deploy time is the CDK's. */
const functions = all('AWS::Lambda::Function').filter(([id]) => !id.startsWith('CustomCDK'));

it('is ASCII only, with comments that CloudFront accepts: services refuse other descriptions', () => {
  for (const one of [template, localSites, ownSites, ownName, ...withProviders]) {
    const json = JSON.stringify(one);
    expect(json.match(/.{0,40}[^ -~].{0,40}/g)).toBeNull();
    for (const [, comment = ''] of json.matchAll(/"Comment":"([^"]*)"/g))
      expect(comment.length).toBeLessThanOrEqual(128);
  }
});

describe('API Gateway', () => {
  const paths = new Map<string, string>();
  for (const [id, { Properties }] of all('AWS::ApiGateway::Resource')) {
    const parent = (Properties.ParentId.Ref as string | undefined) ?? '';
    paths.set(id, `${paths.get(parent) ?? ''}/${Properties.PathPart}`);
  }
  const methods = all('AWS::ApiGateway::Method').map(([, { Properties }]) => ({
    path: paths.get(Properties.ResourceId.Ref) ?? '/',
    method: Properties.HttpMethod as string,
    integration: Properties.Integration,
  }));

  it('routes all methods of a path to one function, except preflights of generations', () => {
    expect(methods.map(({ path, method }) => `${method} ${path}`).toSorted()).toEqual([
      'ANY /',
      'ANY /api',
      'ANY /api/v1',
      'ANY /api/v1/assets',
      'ANY /api/v1/assets/{proxy+}',
      'ANY /api/v1/builds',
      'ANY /api/v1/deploy',
      'ANY /api/v1/deploy/staged',
      'ANY /api/v1/deploy/staged/{id}',
      'ANY /api/v1/deployments',
      'ANY /api/v1/deployments/{proxy+}',
      'ANY /api/v1/generate',
      'ANY /api/v1/generations',
      'ANY /api/v1/generations/{proxy+}',
      'ANY /api/v1/providers',
      'ANY /api/v1/reports',
      'ANY /api/v1/{proxy+}',
      'ANY /api/{proxy+}',
      'ANY /mcp',
      'ANY /report',
      'ANY /{proxy+}',
      'OPTIONS /api/v1/generate',
      'OPTIONS /api/v1/generations',
      'OPTIONS /api/v1/generations/{proxy+}',
      'OPTIONS /api/v1/providers',
      'POST /api/v1/deploy/staged',
    ]);
    expect(methods.filter(({ method }) => method === 'ANY')).toHaveLength(paths.size + 1);
    const ofFunctions = methods.filter(({ method }) => method === 'ANY');
    expect(new Set(ofFunctions.map(({ integration }) => integration.Type))).toEqual(new Set(['AWS_PROXY']));
  });

  it('streams only the function of generations, for which it waits 15 minutes', () => {
    for (const { path, method, integration } of methods) {
      if (integration.Type !== 'AWS_PROXY') continue;
      const streams = /\/(generate|generations(\/.+)?|providers)$/.test(path) && method === 'ANY';
      expect([path, integration.ResponseTransferMode]).toEqual([path, streams ? 'STREAM' : undefined]);
      const action = streams ? '/response-streaming-invocations' : '/invocations';
      expect(JSON.stringify(integration.Uri)).toContain(action);
      expect(integration.TimeoutInMillis).toBe(streams ? 900_000 : 29_000);
    }
  });

  it('sends preflights, which have no body, to a function that does not stream', () => {
    const preflights = methods.filter(({ method }) => method === 'OPTIONS');
    expect(preflights.map(({ path }) => path).toSorted()).toEqual([
      '/api/v1/generate',
      '/api/v1/generations',
      '/api/v1/generations/{proxy+}',
      '/api/v1/providers',
    ]);
    for (const { integration } of preflights) expect(JSON.stringify(integration.Uri)).toContain('UsageApi');
  });

  it('returns its own errors as { "error" }', () => {
    const responses = all('AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => Properties);
    const types = responses.map(({ ResponseType }) => ResponseType);
    expect(types).toEqual(
      expect.arrayContaining(['DEFAULT_4XX', 'DEFAULT_5XX', 'MISSING_AUTHENTICATION_TOKEN']),
    );
    const limited = ['THROTTLED', 'ACCESS_DENIED'];
    for (const { ResponseType, ResponseTemplates, ResponseParameters } of responses) {
      const filled = ResponseTemplates['application/json']
        .replace('$context.error.messageString', '"why"')
        .replace('$context.authorizer.retryAfter', '7');
      const more = limited.includes(ResponseType)
        ? { retryAfter: expect.any(Number), docs: '/docs#rate-limits' }
        : ResponseType === 'DEFAULT_5XX' && { retryAfter: 2 };
      expect(JSON.parse(filled)).toEqual({ error: expect.any(String), ...more });
      expect(ResponseParameters).toMatchObject({
        'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
        'gatewayresponse.header.Access-Control-Expose-Headers': "'*'",
      });
    }
  });

  it('sends Retry-After where it is known', () => {
    const responses = Object.fromEntries(
      all('AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => [
        Properties.ResponseType,
        [Properties.StatusCode, Properties.ResponseParameters['gatewayresponse.header.Retry-After']],
      ]),
    );
    expect(responses).toMatchObject({
      THROTTLED: [undefined, "'1'"],
      ACCESS_DENIED: ['429', 'context.authorizer.retryAfter'],
      AUTHORIZER_FAILURE: ['502', "'2'"],
      AUTHORIZER_CONFIGURATION_ERROR: ['502', "'2'"],
    });
  });

  it('has an authorizer only for storing large bodies', () => {
    const [[id, { Properties }], ...others] = all('AWS::ApiGateway::Authorizer') as [
      [string, Resource],
      ...unknown[],
    ];
    expect(others).toEqual([]);
    expect(Properties).toMatchObject({
      Type: 'REQUEST',
      AuthorizerResultTtlInSeconds: 0,
      IdentitySource: '',
    });
    expect(JSON.stringify(Properties.AuthorizerUri)).toContain('DeploymentsStagingAuthorizer');
    for (const [, method] of all('AWS::ApiGateway::Method')) {
      const { AuthorizationType, AuthorizerId } = method.Properties;
      const stores = method.Properties.HttpMethod === 'POST';
      expect({ AuthorizationType, AuthorizerId }).toEqual(
        stores ? { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: id } } : { AuthorizationType: 'NONE' },
      );
    }
    const invoker = all('AWS::Lambda::Permission').find(([, permission]) =>
      JSON.stringify(permission.Properties.FunctionName).includes('DeploymentsStagingAuthorizer'),
    );
    expect(JSON.stringify(invoker?.[1].Properties.SourceArn)).toMatch(/\/authorizers\/",\{"Ref":/);
  });

  it('writes large bodies to S3, and redirects to the URL that deploys them', () => {
    const staged = methods.find(({ path }) => path === '/api/v1/deploy/staged');
    expect(staged?.integration).toMatchObject({
      Type: 'AWS',
      IntegrationHttpMethod: 'PUT',
      RequestParameters: {
        'integration.request.path.id': 'context.authorizer.stagedId',
        'integration.request.header.Content-Encoding': 'method.request.header.Content-Encoding',
      },
    });
    const [stored, closed, otherwise] = staged?.integration.IntegrationResponses ?? [];
    expect(stored).toMatchObject({
      StatusCode: '303',
      SelectionPattern: '200',
      ResponseParameters: { 'method.response.header.Location': 'context.authorizer.location' },
    });
    expect(closed).toMatchObject({ StatusCode: '503', SelectionPattern: '403' });
    expect(otherwise.StatusCode).toBe('502');
    expect(JSON.parse(otherwise.ResponseTemplates['application/json'])).toEqual({
      error: expect.any(String),
    });
  });

  it('lets the role of large bodies write anything but the object of those that are refused', () => {
    const [, policy] = all('AWS::IAM::Policy').find(([id]) => id.startsWith('DeploymentsStagingRole')) ?? [];
    const objects = policy?.Properties.PolicyDocument.Statement.map(
      ({ Effect, Resource }: { Effect: string; Resource: { 'Fn::Join': [string, unknown[]] } }) => [
        Effect,
        Resource['Fn::Join'][1].at(-1),
      ],
    );
    expect(objects).toEqual([
      ['Allow', '/staged/*'],
      ['Deny', `/staged/${REFUSED_ID}`],
    ]);
  });

  it('passes bodies on as they were sent', () => {
    expect(propertiesOf(template, 'AWS::ApiGateway::RestApi')).toMatchObject([{ BinaryMediaTypes: ['*/*'] }]);
  });
});

describe('the distribution', () => {
  const [, distribution] = all('AWS::CloudFront::Distribution')[0] as [string, Resource];
  const config = distribution.Properties.DistributionConfig;

  it('reads cache tags', () => expect(config.CacheTagConfig).toEqual({ HeaderName: 'cache-tag' }));

  it('serves the API, the sites and the pages under one name', () => {
    const behaviors = config.CacheBehaviors.map((behavior: { PathPattern: string }) => behavior.PathPattern);
    expect(behaviors).toEqual([
      '/api/v1/openapi.json',
      '/api/v1/openapi-3.1.json',
      '/preview*',
      '/api/*',
      '/mcp',
      '/report',
      '/d/????????????.zip',
      '/d/????????????.png',
      '/d/*',
    ]);
    expect(config.Origins).toHaveLength(4);
    for (const behavior of [config.DefaultCacheBehavior, ...config.CacheBehaviors]) {
      expect(behavior.ViewerProtocolPolicy).toBe('redirect-to-https');
      const events = behavior.FunctionAssociations.map(({ EventType }: { EventType: string }) => EventType);
      const isApi = ['/api/*', '/mcp', '/report'].includes(behavior.PathPattern);
      expect(events).toEqual(isApi ? ['viewer-request', 'viewer-response'] : ['viewer-request']);
    }
  });

  it('keeps pictures by their width and version, and asks for each', () => {
    const { PathPattern, CachePolicyId } = config.CacheBehaviors.at(-2);
    const [, policy] = all('AWS::CloudFront::CachePolicy').find(([id]) => id === CachePolicyId.Ref) as [
      string,
      Resource,
    ];
    const { MinTTL, DefaultTTL, ParametersInCacheKeyAndForwardedToOrigin } =
      policy.Properties.CachePolicyConfig;
    expect([PathPattern, MinTTL, DefaultTTL]).toEqual(['/d/????????????.png', 0, 0]);
    expect(ParametersInCacheKeyAndForwardedToOrigin.QueryStringsConfig).toEqual({
      QueryStringBehavior: 'whitelist',
      QueryStrings: ['width', 'version'],
    });
  });

  it('keeps the files of each type of page when those of another are deployed', () => {
    const deployments = propertiesOf(template, 'Custom::CDKBucketDeployment');
    const types = deployments.map(({ SystemMetadata }) => Object.values(SystemMetadata).join(', '));
    const script = 'text/javascript; charset=utf-8';
    expect(types).toEqual(
      expect.arrayContaining([
        `max-age=0, s-maxage=300, ${script}`,
        `public, max-age=31536000, immutable, ${script}`,
      ]),
    );
    expect(types).toEqual([...new Set(types)]);
    expect(deployments.map(({ Prune }) => Prune)).toEqual(types.map(() => false));
  });

  it('lets browsers use TLS only, for this host and nothing below it', () => {
    const policies = new Map(resources(ownSites, 'AWS::CloudFront::ResponseHeadersPolicy'));
    const behaviors = propertiesOf(ownSites, 'AWS::CloudFront::Distribution').flatMap(
      ({ DistributionConfig: { DefaultCacheBehavior, CacheBehaviors = [] } }) => [
        DefaultCacheBehavior,
        ...CacheBehaviors,
      ],
    );
    expect(behaviors).toHaveLength(11);
    for (const { ResponseHeadersPolicyId } of behaviors) {
      const { ResponseHeadersPolicyConfig } = policies.get(ResponseHeadersPolicyId.Ref)?.Properties ?? {};
      expect(ResponseHeadersPolicyConfig.SecurityHeadersConfig.StrictTransportSecurity).toEqual({
        AccessControlMaxAgeSec: 31_536_000,
        IncludeSubdomains: false,
        Preload: false,
        Override: true,
      });
    }
  });

  it('waits for the API as long as CloudFront can, and sends it the origin secret', () => {
    const api = config.Origins.find((origin: { OriginPath?: string }) => origin.OriginPath === '/api');
    expect(api.CustomOriginConfig.OriginReadTimeout).toBe(120);
    expect(api.OriginCustomHeaders[0].HeaderName).toBe('x-ptp-origin-secret');
    expect(JSON.stringify(api.OriginCustomHeaders[0].HeaderValue)).toContain('{{resolve:secretsmanager:');
  });

  it('accesses the sites and the pages through origin access controls', () => {
    const controlled = config.Origins.filter((origin: object) => 'OriginAccessControlId' in origin);
    expect(controlled).toHaveLength(3);
    for (const { AuthType } of propertiesOf(template, 'AWS::Lambda::Url')) expect(AuthType).toBe('AWS_IAM');
    const invokers = all('AWS::Lambda::Permission').filter(
      ([, { Properties }]) => Properties.Principal === 'cloudfront.amazonaws.com',
    );
    // Two functions; the site function has permissions before the distribution exists as well.
    expect(invokers.map(([, { Properties }]) => Properties.Action).toSorted()).toEqual([
      ...new Array(3).fill('lambda:InvokeFunction'),
      ...new Array(3).fill('lambda:InvokeFunctionUrl'),
    ]);
    for (const [, { Properties }] of invokers)
      expect(JSON.stringify(Properties.SourceArn)).toContain(':distribution/');
  });

  it('leaves room for the same stage in another region: names are unique in the account', () => {
    const names = Object.values(localSites.Resources)
      .filter(({ Type }) => Type.startsWith('AWS::CloudFront::'))
      .flatMap(({ Type, Properties }) => {
        const holder = Properties.Name ? Properties : Properties[`${Type.split('::')[2]}Config`];
        return Type === 'AWS::CloudFront::Distribution' ? [] : [[Type, holder.Name]];
      });
    expect(names).toHaveLength(15);
    for (const [type, name] of names) {
      expect([type, name]).toEqual([type, { 'Fn::Join': ['', expect.any(Array)] }]);
      const parts: unknown[] = name['Fn::Join'][1];
      expect(parts).toContainEqual({ Ref: 'AWS::Region' });
      if (!type.endsWith('OriginAccessControl')) continue;
      const rest = parts.filter((part) => typeof part === 'string').join('');
      // At most 64 characters, with the longest name of a stack and of a region.
      expect(rest.replace(/^Test/, '').length).toBeLessThanOrEqual(
        64 - 'prompt-to-project-'.length - 20 - 14,
      );
    }
  });

  it('does not cache errors', () => {
    for (const { ErrorCachingMinTTL } of config.CustomErrorResponses) expect(ErrorCachingMinTTL).toBe(0);
  });
});

describe('stored data', () => {
  const tables = all('AWS::DynamoDB::GlobalTable');
  const table = (id: string) => tables.find(([logicalId]) => logicalId.startsWith(id))?.[1] as Resource;

  it.each(['AccessApiKeys', 'AccessUsage', 'Deployments', 'AssetsRecords', 'WebhooksSecrets'])(
    '%s is user data: recoverable and retained',
    (id) => {
      expect(table(id)).toMatchObject(RETAINED);
      expect(table(id).Properties.Replicas[0].PointInTimeRecoverySpecification).toEqual({
        PointInTimeRecoveryEnabled: true,
      });
    },
  );

  it.each(['AccessRateLimits', 'AccessUsage', 'GenerationJobs', 'Deployments', 'AssetsRecords'])(
    '%s expires',
    (id) => {
      expect(table(id).Properties.TimeToLiveSpecification).toEqual({
        AttributeName: 'expiresAt',
        Enabled: true,
      });
    },
  );

  it('is protected against deletion on request only, because a failed first deploy could not delete it', () => {
    for (const [source, expected] of [
      [template, []],
      [ownName, ['AccessApiKeys', 'AccessUsageTable', 'AssetsRecords', 'Deployments', 'WebhooksSecrets']],
    ] as const) {
      const kept = resources(source, 'AWS::DynamoDB::GlobalTable').filter(
        ([, { Properties }]) => Properties.Replicas[0].DeletionProtectionEnabled === true,
      );
      expect(kept.map(([id]) => id.replace(/[0-9A-F]{8}$/, '')).toSorted()).toEqual(expected);
    }
  });

  it('includes the secrets that ids and tokens of deployments derive from', () => {
    const secrets = Object.fromEntries(
      all('AWS::SecretsManager::Secret').map(([id, secret]) => [id.replace(/[0-9A-F]{8}$/, ''), secret]),
    );
    expect(secrets).toMatchObject({
      AccessOriginSecret: { DeletionPolicy: 'Delete' },
      DeploymentsProjectIdSecret: RETAINED,
      DeploymentsTokenSecret: RETAINED,
    });
  });

  it('has indexes with keys only: by owner, and of deployments by the end of their life', () => {
    const indexes = tables.flatMap(([id, { Properties }]) =>
      (Properties.GlobalSecondaryIndexes ?? []).map((index: object) => [
        id.replace(/[0-9A-F]{8}$/, ''),
        index,
      ]),
    );
    const index = (owner: string, IndexName = 'ByOwner', range = 'createdAt') => ({
      IndexName,
      KeySchema: [
        { AttributeName: owner, KeyType: 'HASH' },
        { AttributeName: range, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
      WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 2_000 },
    });
    expect(indexes).toHaveLength(4);
    expect(indexes).toEqual(
      expect.arrayContaining([
        ['AssetsRecords', index('owner')],
        ['Deployments', index('endsShard', 'ByEnd', 'endsAt')],
        ['Deployments', index('listOwner')],
        ['GenerationJobs', index('owner')],
      ]),
    );
  });

  it('is billed per request', () => {
    expect(tables).toHaveLength(8);
    for (const [, { Properties }] of tables) expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
  });

  it('is in buckets that are private, encrypted and accessible over TLS only', () => {
    const buckets = all('AWS::S3::Bucket');
    expect(buckets).toHaveLength(6);
    for (const [id, bucket] of buckets) {
      const { Properties } = bucket;
      // The pages are uploaded by the first deploy, and CloudFormation deletes only empty buckets.
      const kept = id.startsWith('Console') ? 'Retain' : RETAINED.DeletionPolicy;
      expect([id, bucket.DeletionPolicy]).toEqual([id, kept]);
      expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
      expect(JSON.stringify(Properties.BucketEncryption)).toContain('AES256');
      const policy = all('AWS::S3::BucketPolicy').find(([, { Properties: p }]) => p.Bucket.Ref === id)?.[1];
      expect(policy?.Properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
    }
  });

  it('results of generations expire', () => {
    expect(lifecycleRules()).toContainEqual(
      expect.objectContaining({ ExpirationInDays: 2, Status: 'Enabled' }),
    );
  });

  it('bodies that wait to be deployed expire in a day', () => {
    expect(lifecycleRules()).toContainEqual(
      expect.objectContaining({ ExpirationInDays: 1, Prefix: 'staged/', Status: 'Enabled' }),
    );
  });

  it('keeps objects recoverable as long as the items that reference them, and no longer', () => {
    const versioned = all('AWS::S3::Bucket').filter(
      ([, { Properties }]) => Properties.VersioningConfiguration,
    );
    const rules = versioned.map(([id, { Properties }]) => [
      id.replace(/[0-9A-F]{8}$/, ''),
      Properties.LifecycleConfiguration.Rules.flatMap((rule: Record<string, never>) =>
        rule.NoncurrentVersionExpiration === undefined ? [] : [rule],
      ),
    ]);
    const kept = (Prefix: string) => ({
      Prefix,
      NoncurrentVersionExpiration: { NoncurrentDays: 35 },
      ExpiredObjectDeleteMarker: true,
      Status: 'Enabled',
    });
    const gone = {
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
      ExpirationInDays: 1,
      Status: 'Enabled',
    };
    expect(Object.fromEntries(rules)).toEqual({
      AssetsObjects: [kept('assets/'), { ...gone, TagFilters: [{ Key: 'state', Value: 'pending' }] }],
      DeploymentsArchives: [kept('sites/'), { ...gone, Prefix: 'staged/' }],
    });
    const recovered = tables.filter(([, { Properties }]) =>
      JSON.stringify(Properties.Replicas).includes('"PointInTimeRecoveryEnabled":true'),
    );
    expect(recovered).toHaveLength(5);
  });

  it('what builds were made of and made expires in a day, and what they reuse in months', () => {
    const days = Object.entries({ 'in/': 1, 'out/': 1, 'vendor/': 30, 'packages/': 90 });
    for (const [Prefix, ExpirationInDays] of days)
      expect(lifecycleRules()).toContainEqual({ Prefix, ExpirationInDays, Status: 'Enabled' });
  });

  it('in logs expires after a month', () => {
    const groups = new Map(all('AWS::Logs::LogGroup'));
    for (const [, { Properties }] of all('AWS::Lambda::Function'))
      expect(groups.get(Properties.LoggingConfig.LogGroup.Ref)?.Properties.RetentionInDays).toBe(30);
    for (const [, { Properties }] of groups) expect(Properties.RetentionInDays).toBe(30);
  });
});

describe('the functions', () => {
  it('have the processor time of at least 512 MB', () => {
    const memoryOf = (id: string) => {
      if (/^(BuildsBuild|LooksLook)/.test(id)) return 2048;
      return /^Deployments(Api|Generated)/.test(id) ? 1024 : 512;
    };
    for (const [id, { Properties }] of functions)
      expect([id, Properties.MemorySize]).toEqual([id, memoryOf(id)]);
  });

  it('write no START and REPORT lines for visits', () => {
    const levels = functions.filter(
      ([, { Properties }]) => Properties.LoggingConfig.SystemLogLevel === 'WARN',
    );
    expect(levels.map(([id]) => id)).toEqual([expect.stringMatching(/^DeploymentsSite/)]);
  });

  it('run on Node.js 24 and arm64, besides the browser, log JSON, and time out before their callers', () => {
    for (const [id, { Properties }] of functions) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: [id.startsWith('LooksLook') ? 'x86_64' : 'arm64'],
        LoggingConfig: { LogFormat: 'JSON' },
      });
    }
    const timeout = (id: string) => functions.find(([name]) => name.startsWith(id))?.[1].Properties.Timeout;
    expect(timeout('DeploymentsApi')).toBe(29);
    expect(timeout('BuildsBuild')).toBe(25);
    expect(timeout('LooksLook')).toBe(60);
    expect(timeout('AssetsApi')).toBe(29);
    expect(timeout('McpServer')).toBe(29);
    expect(timeout('GenerationApi')).toBe(900);
    expect(timeout('GenerationAttempt')).toBe(240);
  });

  it('have exactly the permissions that they need', () => {
    const allowed = Object.fromEntries(
      all('AWS::IAM::Policy')
        // The role of the CDK's own function.
        .filter(([id]) => !id.startsWith('ConsoleDeployment'))
        .map(([id, { Properties }]) => [
          id.replace(/(Role)?(DefaultPolicy.*|[0-9A-F]{8})$/, ''),
          Properties.PolicyDocument.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action)
            .filter((action: string) => !action.startsWith('logs:'))
            .toSorted(),
        ]),
    );
    // One statement for keys and windows, and one for windows and usage.
    const access = ['dynamodb:GetItem', 'dynamodb:UpdateItem'];
    const list = ['dynamodb:BatchGetItem', 'dynamodb:Query'];
    // Invocations, and what presigned URLs need, in one statement.
    const build = ['lambda:InvokeFunction', 's3:GetObject', 's3:PutObject'];
    expect(allowed).toEqual({
      BuildsBuild: ['s3:GetObject', 's3:PutObject'],
      // For one item each: see canary.test.ts.
      CanaryFunction: ['dynamodb:GetItem', 'dynamodb:PutItem'],
      LooksLook: [],
      DeploymentLooksLookDeployment: [
        'dynamodb:GetItem',
        's3:DeleteObject',
        's3:GetObject',
        's3:PutObject',
        ...build,
      ].toSorted(),
      DeploymentLooksStateMachine: ['lambda:InvokeFunction'],
      ReportsApi: [...access, 'dynamodb:GetItem', 'dynamodb:PutItem'].toSorted(),
      UsageApi: [...access, 'dynamodb:Query'].toSorted(),
      AssetsApi: [
        ...access,
        ...list,
        'dynamodb:DeleteItem',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
        's3:DeleteObject',
        's3:DeleteObjectTagging',
        's3:GetObject',
        's3:PutObject',
        's3:PutObjectTagging',
      ].toSorted(),
      DeploymentsApi: [
        ...access,
        ...list,
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
        's3:DeleteObject',
        's3:GetObject',
        's3:GetObject',
        's3:PutObject',
        // One statement for both secrets.
        'secretsmanager:GetSecretValue',
        // One statement for withdrawals, deliveries and looks.
        'states:StartExecution',
        ...build,
      ].toSorted(),
      WebhooksDeliver: ['dynamodb:UpdateItem'],
      WebhooksStateMachine: ['lambda:InvokeFunction'],
      DeploymentsDownload: ['dynamodb:GetItem', 'dynamodb:UpdateItem', 's3:GetObject'],
      DeploymentsGenerated: [
        'dynamodb:GetItem',
        'dynamodb:GetItem',
        'dynamodb:UpdateItem',
        's3:DeleteObject',
        's3:GetObject',
        's3:GetObject',
        's3:PutObject',
        'secretsmanager:GetSecretValue',
        'states:StartExecution',
        ...build,
      ].toSorted(),
      DeploymentsSite: ['dynamodb:GetItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem', 's3:GetObject'],
      DeploymentsSweepFunction: [
        'dynamodb:DeleteItem',
        'dynamodb:GetItem',
        'dynamodb:Query',
        'dynamodb:Query',
        'dynamodb:UpdateItem',
        's3:DeleteObject',
      ],
      // Allowed for all, and denied for one.
      DeploymentsStaging: ['s3:PutObject', 's3:PutObject'],
      DeploymentsStagingAuthorizer: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
      DeploymentsWithdrawalStateMachine: ['lambda:InvokeFunction'],
      DeploymentsWithdrawalWithdraw: ['cloudfront:CreateInvalidation', 'cloudfront:GetInvalidation'],
      GenerationApi: [
        ...access,
        ...list,
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
        's3:GetObject',
        // The project to change, and images: from a deployment and the assets in one statement, and as they are stored.
        's3:GetObject',
        's3:PutObject',
        'secretsmanager:GetSecretValue',
        'states:StartExecution',
        'states:StopExecution',
      ].toSorted(),
      GenerationAttempt: [
        'dynamodb:GetItem',
        'dynamodb:UpdateItem',
        'dynamodb:UpdateItem',
        // One statement for projects and builds.
        's3:GetObject',
        's3:PutObject',
        'lambda:InvokeFunction',
      ].toSorted(),
      GenerationSettle: [
        'dynamodb:GetItem',
        'dynamodb:UpdateItem',
        'dynamodb:UpdateItem',
        's3:GetObject',
        's3:PutObject',
        'states:StartExecution',
      ],
      GenerationWorkflowStateMachine: ['lambda:InvokeFunction', 'states:StartExecution'],
      // It reaches data through the API only, as its callers.
      McpServer: [],
    });
  });

  it('let a look at a deployment write nothing but looks there', () => {
    const [, { Properties }] = all('AWS::IAM::Policy').find(([id]) =>
      id.startsWith('DeploymentLooksLookDeployment'),
    ) as [string, Resource];
    const writes = Properties.PolicyDocument.Statement.filter(({ Action }: { Action: string | string[] }) =>
      [Action].flat().includes('s3:DeleteObject'),
    );
    expect(writes).toHaveLength(1);
    expect(JSON.stringify(writes[0].Resource)).toContain('"/sites/*.look"');
  });

  it('let generations read assets and deployments, but no other object', () => {
    const [, { Properties }] = all('AWS::IAM::Policy').find(([id]) => id.startsWith('GenerationApi')) as [
      string,
      Resource,
    ];
    const reads = Properties.PolicyDocument.Statement.filter(
      ({ Action }: { Action: string }) => Action === 's3:GetObject',
    );
    const keys = reads.flatMap(({ Resource }: { Resource: object[] }) =>
      Resource.map((arn) => JSON.stringify(arn).replace(/.*GetAtt":\["([A-Za-z]+).*"(\/.*)".*/, '$1$2')),
    );
    expect(keys).toEqual([
      expect.stringMatching(/^AssetsObjects.*\/assets\/\*$/),
      expect.stringMatching(/^DeploymentsArchives.*\/sites\/\*$/),
    ]);
  });

  it('give builds their packages only, and each tenant its instances: all else comes as presigned URLs', () => {
    const [, { Properties }] = functions.find(([id]) => id.startsWith('BuildsBuild')) as [string, Resource];
    expect(Properties.TenancyConfig).toEqual({ TenantIsolationMode: 'PER_TENANT' });
    expect(Object.keys(Properties.Environment.Variables).toSorted()).toEqual([
      'BUILDS',
      'BUILDS_BUCKET',
      'RUST_MIN_STACK',
    ]);
    const keysOf = (policy: string) => {
      const found = all('AWS::IAM::Policy').filter(([id]) => id.startsWith(policy));
      const text = JSON.stringify(found.map(([, resource]) => resource.Properties.PolicyDocument.Statement));
      return [...text.matchAll(/"(BuildsObjects\w+)","Arn"\]},"(\/[a-z]+\/\*)"/g)].map(([, , keys]) => keys);
    };
    expect(keysOf('BuildsBuild')).toEqual(['/packages/*']);
    for (const caller of ['DeploymentsApi', 'DeploymentsGenerated', 'GenerationAttempt'])
      expect(keysOf(caller)).toEqual(['/in/*', '/out/*', '/vendor/*']);
    const callers = functions.filter(
      ([, fn]) => 'BUILD_FUNCTION' in (fn.Properties.Environment?.Variables ?? {}),
    );
    expect(callers).toHaveLength(3);
  });

  it('give the browser nothing but sites, which come as presigned URLs, and each tenant its instances', () => {
    const [, { Properties }] = functions.find(([id]) => id.startsWith('LooksLook')) as [string, Resource];
    expect(Properties.TenancyConfig).toEqual({ TenantIsolationMode: 'PER_TENANT' });
    expect(Properties.ReservedConcurrentExecutions).toBe(20);
    expect(Properties.Environment).toBeUndefined();
  });

  it('serve agents with the address of the API, but no secret, table or bucket', () => {
    const [, server] = functions.find(([id]) => id.startsWith('McpServer')) as [string, Resource];
    const { API_URL, ...others } = server.Properties.Environment.Variables;
    expect(others).toEqual({ API_GATEWAY_DOOR: 'false' });
    const [before, api, host, , end] = API_URL['Fn::Join'][1];
    expect([before, api, host]).toEqual([
      'https://',
      { Ref: expect.stringMatching(/^ApiRestApi/) },
      '.execute-api.',
    ]);
    expect(JSON.stringify([end, API_URL])).toContain('/api');
  });

  it('fetch the secrets of ids and tokens, which no environment or distribution has', () => {
    const resolved = JSON.stringify(
      all('AWS::Lambda::Function').concat(all('AWS::CloudFront::Distribution')),
    );
    const references = resolved.match(/resolve:secretsmanager:[^}]*?"Ref":"(\w+)"/g) ?? [];
    expect(new Set(references.map((text) => /"Ref":"(\w+)"/.exec(text)?.[1]))).toEqual(
      new Set(['AccessOriginSecret09FAC01F']),
    );
    const fetching = functions.filter(
      ([, { Properties }]) => 'ID_SECRET_ARN' in (Properties.Environment?.Variables ?? {}),
    );
    expect(fetching.map(([id]) => id.replace(/[0-9A-F]{8}$/, '')).toSorted()).toEqual([
      'DeploymentsApi',
      'DeploymentsGenerated',
      'GenerationApi',
    ]);
  });

  it('have permissions for their own resources only', () => {
    for (const [id, { Properties }] of all('AWS::IAM::Policy')) {
      for (const { Action, Resource } of Properties.PolicyDocument.Statement) {
        // Log delivery, which does not support resource-level permissions.
        if (Action.includes('logs:CreateLogDelivery')) continue;
        expect([id, Resource]).not.toEqual([id, '*']);
      }
    }
    const indexes = all('AWS::IAM::Policy').flatMap(([, { Properties }]) =>
      Properties.PolicyDocument.Statement.filter((statement: object) =>
        JSON.stringify(statement).includes('/index/'),
      ),
    );
    expect(indexes).toHaveLength(4);
    for (const { Action, Resource } of indexes) {
      expect(Action).toBe('dynamodb:Query');
      // Of the API of deployments, the statement is also for the views of a page.
      for (const resource of [Resource].flat().filter((one) => 'Fn::Join' in one))
        expect(resource).toEqual({
          'Fn::Join': [
            '',
            [
              { 'Fn::GetAtt': [expect.any(String), 'Arn'] },
              expect.stringMatching(/^\/index\/By(Owner|End)$/),
            ],
          ],
        });
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
      return GATE === undefined ? [] : [[id.replace(/[0-9A-F]{8}$/, ''), JSON.parse(GATE), BAD_URLS]];
    });
  const shares = (bounds: object, list?: string) => [
    ['DeploymentsApi', bounds, list],
    ['DeploymentsDownload', bounds, undefined],
    ['DeploymentsGenerated', bounds, list],
    ['DeploymentsSite', bounds, undefined],
  ];
  expect(gates(template).toSorted()).toEqual(shares({ anonymousPoints: 50, keyPoints: 100 }));
  expect(gates(ownSites).toSorted()).toEqual(shares({ anonymousPoints: 30, keyPoints: 100 }, 'bad-urls.txt'));
  expect(gates(localSites)).toEqual([]);
});

it('siteDomain is a distribution of its own, which the API and the sites know, as they do edgeSeconds', () => {
  const [id, sites] = resources(ownSites, 'AWS::CloudFront::Distribution').find(([name]) =>
    name.startsWith('FrontDoorSites'),
  ) as [string, Resource];
  const config = sites.Properties.DistributionConfig;
  expect(config).toMatchObject({
    Aliases: ['*.sites.example.com'],
    CacheTagConfig: { HeaderName: 'cache-tag' },
    ViewerCertificate: { AcmCertificateArn: certificate('sites') },
  });
  expect(config.CacheBehaviors).toBeUndefined();
  const variables = (name: string) =>
    resources(ownSites, 'AWS::Lambda::Function').find(([logicalId]) => logicalId.startsWith(name))?.[1]
      .Properties.Environment.Variables;
  expect(variables('DeploymentsWithdrawal').DISTRIBUTION_ID).toEqual({ Ref: id });
  expect(variables('DeploymentsGenerated').SITE_ORIGIN).toBe('https://*.sites.example.com');
  for (const name of ['DeploymentsApi', 'DeploymentsSite'])
    expect(variables(name)).toMatchObject({
      SITE_ORIGIN: 'https://*.sites.example.com',
      EDGE_SECONDS: '30',
    });
  expect(variables('DeploymentsApi').INVALIDATIONS_PER_MONTH).toBe('900');
  const callers = resources(ownSites, 'AWS::Lambda::Permission').filter(([, { Properties }]) =>
    JSON.stringify(Properties.SourceArn ?? '').includes(id),
  );
  expect(callers).toHaveLength(2);
});

describe('webhooks', () => {
  const variables = (from: Template) =>
    Object.fromEntries(
      resources(from, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) => {
        const { ALLOW_PRIVATE_WEBHOOKS: value } = Properties.Environment?.Variables ?? {};
        return value === undefined ? [] : [[id.replace(/[0-9A-F]{8}$/, ''), value]];
      }),
    );

  it('are not sent to private addresses unless the configuration allows it', () => {
    const names = ['DeploymentsApi', 'GenerationApi', 'WebhooksDeliver'];
    const all = (value: string) => Object.fromEntries(names.map((name) => [name, value]));
    expect(variables(template)).toEqual(all('false'));
    expect(variables(ownName)).toEqual(all('true'));
  });

  it('have secrets that no other function may read or write', () => {
    const grants = all('AWS::IAM::Policy').filter(([, { Properties }]) =>
      JSON.stringify(Properties.PolicyDocument).includes('WebhooksSecrets'),
    );
    expect(grants.map(([id]) => id.replace(/DefaultPolicy.*/, ''))).toEqual(['WebhooksDeliverRole']);
  });

  it('are started by the API that deploys, and by the end of a generation', () => {
    const starters = all('AWS::IAM::Policy').filter(([, { Properties }]) =>
      JSON.stringify(Properties.PolicyDocument).includes('WebhooksStateMachine'),
    );
    expect(starters.map(([id]) => id.replace(/RoleDefaultPolicy.*/, '')).toSorted()).toEqual([
      'DeploymentsApi',
      'GenerationSettle',
      'GenerationWorkflowStateMachine',
    ]);
  });
});

it('a name of one’s own comes with its certificate', () => {
  expect(propertiesOf(ownName, 'AWS::CloudFront::Distribution')).toMatchObject([
    {
      DistributionConfig: {
        Aliases: ['ptp.example.com'],
        ViewerCertificate: { AcmCertificateArn: certificate('abc') },
      },
    },
  ]);
  const baseUrls = resources(ownName, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) => {
    const { BASE_URL } = Properties.Environment?.Variables ?? {};
    return BASE_URL ? [`${id.replace(/[0-9A-F]{8}$/, '')} ${BASE_URL}`] : [];
  });
  expect(baseUrls.toSorted()).toEqual(
    [
      'AssetsApi',
      'CanaryFunction',
      'DeploymentsApi',
      'DeploymentsGenerated',
      'DeploymentsStagingAuthorizer',
      'GenerationApi',
      'ReportsApi',
      'UsageApi',
      'WebhooksDeliver',
    ].map((name) => `${name} https://ptp.example.com`),
  );
});

describe('the function that calls providers', () => {
  const statements = (index: number) => {
    const policies = resources(withProviders[index] as Template, 'AWS::IAM::Policy');
    const [, policy] = policies.find(([id]) => id.startsWith('GenerationAttempt')) as [string, Resource];
    const texts = policy.Properties.PolicyDocument.Statement.map(JSON.stringify) as string[];
    return texts.filter((text) => /bedrock|secretsmanager/.test(text));
  };

  it('may read the keys that are configured and no other secret', () => {
    const found = statements(0);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('"secretsmanager:GetSecretValue"');
    expect(found[0]).toContain(':secret:ANTHROPIC_API_KEY-??????"');
  });

  it('gets the configured prices of its models only', () => {
    const [, attempt] = resources(withProviders[1] as Template, 'AWS::Lambda::Function').find(([id]) =>
      id.startsWith('GenerationAttempt'),
    ) as [string, Resource];
    const { PRICES: prices } = attempt.Properties.Environment.Variables;
    expect(JSON.parse(prices)).toEqual({ 'zai.glm-4.6': PRICE });
  });

  it('may call its model on Bedrock, where it is', () => {
    const [found] = statements(1);
    expect(found).toContain('"bedrock:InvokeModelWithResponseStream"');
    expect(found).toContain(':bedrock:eu-west-1::foundation-model/zai.glm-4.6"');
    expect(found).not.toContain('inference-profile');
  });

  it('may call its inference profile, and the model in the regions that it leads to', () => {
    const [found] = statements(2);
    expect(found).toContain(':inference-profile/us.anthropic.claude-x-v1:0"');
    expect(found).toContain(':bedrock:*::foundation-model/anthropic.claude-x-v1:0"');
  });

  it('has budgets as soon as a provider costs money', () => {
    const variables = (from: Template) =>
      Object.assign(
        {},
        ...propertiesOf(from, 'AWS::Lambda::Function').map(({ Environment }) => Environment?.Variables),
      );
    const [paid, bedrock, , free] = withProviders.map(variables);
    const defaults = { anonymous: { usd: 5 }, key: { usd: 10 }, service: { usd: 50 } };
    expect(JSON.parse(paid.BUDGETS)).toEqual(defaults);
    expect(JSON.parse(bedrock.BUDGETS)).toEqual({ ...defaults, anonymous: { tokens: 7 } });
    expect(JSON.parse(free.BUDGETS)).toEqual({});
  });

  it('may do nothing of it for the embedded provider', () => {
    expect(statements(3)).toEqual([]);
  });
});

it('keeps the logical ids of stateful resources: another id would replace the resource and lose its data', () => {
  const ids = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret']
    .concat(['AWS::Cognito::UserPool', 'AWS::ApiGateway::RestApi', 'AWS::CloudFront::Distribution'])
    .flatMap((type) => all(type).map(([id]) => id));
  expect(ids.toSorted()).toEqual([
    'AccessApiKeys09F10F1D',
    'AccessOAuthUserPoolDE2EA74C',
    'AccessOriginSecret09FAC01F',
    'AccessRateLimits60829D42',
    'AccessUsageTable1F2A219D',
    'ApiRestApiE35FEAFE',
    'AssetsObjectsDEFB60AB',
    'AssetsRecords22293ED0',
    'BuildsObjects1D05FEE4',
    'ConsolePages082CCFA4',
    'DeploymentsArchives4C25B8F6',
    'DeploymentsD6169625',
    'DeploymentsProjectIdSecret08C500A2',
    'DeploymentsTokenSecret682D6D77',
    'DeploymentsViewsTable83285B40',
    'FrontDoorDistribution20F29BA2',
    'GenerationFiles6457DEA2',
    'GenerationJobs87CEE0A7',
    'LooksObjectsB72E6483',
    'WebhooksSecrets572F78B9',
  ]);
});
