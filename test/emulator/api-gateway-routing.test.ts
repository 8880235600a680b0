import { Routes, Throttle } from '../../local/cloud/api-gateway/integration.ts';
import { StageProperties } from '../../local/cloud/api-gateway/properties.ts';
import { GatewayResponses } from '../../local/cloud/api-gateway/responses.ts';
import { testRows } from '../support/rows.ts';

/** Returns routes for resource paths, each with the method ANY. */
function routesOf(paths: readonly string[]): Routes<string> {
  const all = new Set(
    paths.flatMap((path) =>
      path
        .split('/')
        .slice(1)
        .map((_, i, parts) => `/${parts.slice(0, i + 1).join('/')}`),
    ),
  );
  const resources = [...all].map((path) => {
    const cut = path.lastIndexOf('/');
    return { id: path, parentId: path.slice(0, cut) || 'root', pathPart: path.slice(cut + 1) };
  });
  const routes = new Routes<string>('root', resources);
  for (const path of paths) routes.add(path, 'ANY', path);
  return routes;
}

const routes = routesOf(['/a/b', '/a/{id}', '/a/{id}/x', '/a/{rest+}']);

testRows([
  ['/a/b', '/a/b', {}],
  ['/a/c', '/a/{id}', { id: 'c' }],
  ['/a/c%20d', '/a/{id}', { id: 'c d' }],
  ['/a/c/x', '/a/{id}/x', { id: 'c' }],
  ['/a/c/y/z', '/a/{rest+}', { rest: 'c/y/z' }],
  // A trailing slash is another part: only a greedy resource matches it.
  ['/a/b/', '/a/{rest+}', { rest: 'b/' }],
])('matches the most specific route', (path, resourcePath, pathParameters) => {
  expect(routes.match(path)).toMatchObject({ resourcePath, pathParameters });
});

testRows(['/', '/a', '/a/', '/A/b', '/b'])('matches nothing', (path) => {
  expect(routes.match(path)).toBeUndefined();
});

describe('gateway responses', () => {
  const custom = { RestApiId: 'api', ResponseParameters: { 'gatewayresponse.header.X-A': "'1'" } };

  test('are customized by the template, by type or by class', () => {
    const responses = new GatewayResponses([
      {
        ...custom,
        ResponseType: 'DEFAULT_4XX',
        ResponseTemplates: {
          'application/json': '{"error":$context.error.messageString,"id":"$context.requestId"}',
        },
      },
      { ...custom, ResponseType: 'INTEGRATION_TIMEOUT', StatusCode: 599 },
    ]);
    const missing = responses.response('MISSING_AUTHENTICATION_TOKEN', { requestId: 'r1' }, 'me');
    expect(missing.status).toBe(403);
    expect(JSON.parse(String(missing.body))).toEqual({ error: 'Missing Authentication Token', id: 'r1' });
    expect(missing.headers).toContainEqual(['X-A', '1']);
    expect(responses.response('INTEGRATION_TIMEOUT', { requestId: 'r1' }, 'me').status).toBe(599);
    expect(String(responses.response('DEFAULT_5XX', { requestId: 'r1' }, 'me').body)).toBe(
      '{"message":"Internal server error"}',
    );
  });

  test('use the context of an authorizer, which must exist', () => {
    const responses = new GatewayResponses([
      {
        ...custom,
        ResponseType: 'ACCESS_DENIED',
        StatusCode: 429,
        ResponseParameters: { 'gatewayresponse.header.Retry-After': 'context.authorizer.seconds' },
        ResponseTemplates: { 'application/json': '{"wait":$context.authorizer.seconds}' },
      },
    ]);
    const denied = (authorizer?: Record<string, string>) =>
      responses.response('ACCESS_DENIED', { requestId: 'r1', ...(authorizer && { authorizer }) }, 'me');
    const { status, headers, body } = denied({ seconds: '7' });
    expect([status, String(body)]).toEqual([429, '{"wait":7}']);
    expect(headers).toContainEqual(['Retry-After', '7']);
    expect(() => denied()).toThrow('context.authorizer.seconds');
  });

  test('cannot customize a 413', () => {
    const template = { 'application/json': '{"error":"use gzip"}' };
    const responses = new GatewayResponses(
      ['REQUEST_TOO_LARGE', 'DEFAULT_4XX'].map((ResponseType) => ({
        ...custom,
        ResponseType,
        ResponseTemplates: template,
      })),
    );
    const { status, headers, body } = responses.response('REQUEST_TOO_LARGE', { requestId: 'r1' }, 'me');
    expect([status, String(body)]).toEqual([413, '{"message":"Request Too Long"}']);
    expect(headers).not.toContainEqual(['X-A', '1']);
  });

  test('reject unsupported variables at start-up', () => {
    const template = { 'application/json': '{"ip":"$context.identity.sourceIp"}' };
    expect(
      () => new GatewayResponses([{ ...custom, ResponseType: 'DEFAULT_4XX', ResponseTemplates: template }]),
    ).toThrow('$context.identity.sourceIp');
  });
});

let now: number;
beforeEach(() => {
  now = 0;
});

/** Returns the throttle of a stage with these settings, each `[method, encoded path, rate, burst]`. */
function throttleOf(...settings: readonly (readonly [string, string, number, number])[]): Throttle {
  const MethodSettings = settings.map(([HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit]) => ({
    HttpMethod,
    ResourcePath,
    ThrottlingRateLimit,
    ThrottlingBurstLimit,
  }));
  const stage = StageProperties.parse({ RestApiId: 'a', DeploymentId: 'd', StageName: 's', MethodSettings });
  return new Throttle(stage.MethodSettings, () => now);
}

/** Returns how many of 100 requests at once are allowed. */
const allowed = (throttle: Throttle, method: string, path: string) =>
  Array.from({ length: 100 }, () => throttle.allows(method, path)).filter(Boolean).length;

it('allows everything without settings', () => {
  expect(allowed(throttleOf(), 'GET', '/a')).toBe(100);
});

it('allows a burst, and then the rate', () => {
  const throttle = throttleOf(['*', '/*', 10, 20]);
  expect(allowed(throttle, 'GET', '/a')).toBe(20);
  now += 1_000;
  expect(allowed(throttle, 'GET', '/a')).toBe(10);
  now += 60_000;
  expect(allowed(throttle, 'GET', '/a')).toBe(20);
});

it('has a bucket for each method of each path', () => {
  const throttle = throttleOf(['*', '/*', 1, 5]);
  for (const [method, path] of [
    ['GET', '/a'],
    ['POST', '/a'],
    ['GET', '/b'],
  ] as const)
    expect(allowed(throttle, method, path)).toBe(5);
  expect(allowed(throttle, 'GET', '/a')).toBe(0);
});

it('prefers the setting of a method', () => {
  const throttle = throttleOf(['*', '/*', 1, 5], ['POST', '/~1v1~1things~1{id}', 1, 2]);
  expect(allowed(throttle, 'POST', '/v1/things/{id}')).toBe(2);
  expect(allowed(throttle, 'GET', '/v1/things/{id}')).toBe(5);
  expect(allowed(throttle, 'POST', '/v1/things')).toBe(5);
});
