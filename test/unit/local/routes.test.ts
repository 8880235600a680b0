import { GatewayResponses } from '../../../local/cloud/api-gateway/gateway-responses.ts';
import { Routes } from '../../../local/cloud/api-gateway/routes.ts';

/** A tree of `/`-separated resource paths, each with the method ANY. */
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

test.each([
  ['/a/b', '/a/b', {}],
  ['/a/c', '/a/{id}', { id: 'c' }],
  ['/a/c%20d', '/a/{id}', { id: 'c d' }],
  ['/a/c/x', '/a/{id}/x', { id: 'c' }],
  ['/a/c/y/z', '/a/{rest+}', { rest: 'c/y/z' }],
  // A trailing slash is one part more: only a greedy resource takes it.
  ['/a/b/', '/a/{rest+}', { rest: 'b/' }],
])('%s leads to %s', (path, resourcePath, pathParameters) => {
  expect(routes.match(path)).toMatchObject({ resourcePath, pathParameters });
});

test.each(['/', '/a', '/a/', '/A/b', '/b'])('%s leads nowhere', (path) => {
  expect(routes.match(path)).toBeUndefined();
});

describe('gateway responses', () => {
  const custom = { RestApiId: 'api', ResponseParameters: { 'gatewayresponse.header.X-A': "'1'" } };

  test('say what the template says, of their own type or of their class', () => {
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

  test('have what an authorizer says, which must be there', () => {
    const responses = new GatewayResponses([
      {
        ...custom,
        ResponseType: 'ACCESS_DENIED',
        StatusCode: 429,
        ResponseParameters: { 'gatewayresponse.header.Retry-After': 'context.authorizer.seconds' },
        ResponseTemplates: { 'application/json': '{"wait":$context.authorizer.seconds}' },
      },
    ]);
    const answer = (authorizer?: Record<string, string>) =>
      responses.response('ACCESS_DENIED', { requestId: 'r1', ...(authorizer && { authorizer }) }, 'me');
    const { status, headers, body } = answer({ seconds: '7' });
    expect([status, String(body)]).toEqual([429, '{"wait":7}']);
    expect(headers).toContainEqual(['Retry-After', '7']);
    expect(() => answer()).toThrow('context.authorizer.seconds');
  });

  test('can not reword a 413', () => {
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

  test('refuse variables that they do not know, at start', () => {
    const template = { 'application/json': '{"ip":"$context.identity.sourceIp"}' };
    expect(
      () => new GatewayResponses([{ ...custom, ResponseType: 'DEFAULT_4XX', ResponseTemplates: template }]),
    ).toThrow('$context.identity.sourceIp');
  });
});
