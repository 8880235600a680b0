import { REFUSED_ID } from '../../lambda/platform/env.ts';
import { propertiesOf, type Resource, resources, type Template, templateOf, withoutHash } from './templates.ts';

const template = templateOf('byDefault');
const all = (type: string) => resources(template, type);
const full = templateOf('full');

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
      'ANY /data',
      'ANY /data/{proxy+}',
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

  it('returns its own errors as { "error" }', () => {
    const responses = all('AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => Properties);
    const types = responses.map(({ ResponseType }) => ResponseType);
    expect(types).toEqual(expect.arrayContaining(['DEFAULT_4XX', 'DEFAULT_5XX', 'MISSING_AUTHENTICATION_TOKEN']));
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
    const [[id, { Properties }], ...others] = all('AWS::ApiGateway::Authorizer') as [[string, Resource], ...unknown[]];
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
});

describe('the stage of the API', () => {
  const settings = (from: Template) => propertiesOf(from, 'AWS::ApiGateway::Stage')[0].MethodSettings;

  it('throttles every path, and generate and deploy more than others', () => {
    const limit = (HttpMethod: string, ResourcePath: string, rate: number, burst: number) => ({
      HttpMethod,
      ResourcePath,
      DataTraceEnabled: false,
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
    });
    expect(settings(full)).toEqual([
      limit('*', '/*', 11, 12),
      limit('POST', '/~1api~1v1~1generate', 13, 14),
      limit('POST', '/~1api~1v1~1deploy', 15, 16),
      limit('POST', '/~1api~1v1~1builds', 15, 16),
      limit('GET', '/~1data~1{proxy+}', 24, 25),
      limit('POST', '/~1api~1v1~1reports', 19, 20),
      limit('POST', '/~1report', 19, 20),
      limit('POST', '/~1api~1v1~1deploy~1staged', 15, 16),
      limit('GET', '/~1api~1v1~1deploy~1staged~1{id}', 15, 16),
      limit('POST', '/~1api~1v1~1deploy~1staged~1{id}', 15, 16),
    ]);
    expect(settings(template)[0]).toMatchObject({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 });
  });
});

describe('webhooks', () => {
  const variables = (from: Template) =>
    Object.fromEntries(
      resources(from, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) => {
        const { ALLOW_PRIVATE_WEBHOOKS: value } = Properties.Environment?.Variables ?? {};
        return value === undefined ? [] : [[withoutHash(id), value]];
      }),
    );

  it('are not sent to private addresses unless the configuration allows it', () => {
    const names = ['DeploymentsApi', 'GenerationApi', 'WebhooksDeliver'];
    const all = (value: string) => Object.fromEntries(names.map((name) => [name, value]));
    expect(variables(template)).toEqual(all('false'));
    expect(variables(full)).toEqual(all('true'));
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
      'DataApi',
      'DeploymentsApi',
      'GenerationSettle',
      'GenerationWorkflowStateMachine',
    ]);
  });
});
