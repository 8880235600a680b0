import { propertiesOf, resources, type Template, templateOf, withoutHash } from './templates.ts';

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
});
