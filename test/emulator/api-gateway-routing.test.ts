import { Throttle } from '../../local/cloud/api-gateway/integration.ts';
import { StageProperties } from '../../local/cloud/api-gateway/properties.ts';
import { GatewayResponses } from '../../local/cloud/api-gateway/responses.ts';

describe('gateway responses', () => {
  const custom = { RestApiId: 'api', ResponseParameters: { 'gatewayresponse.header.X-A': "'1'" } };

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

it('allows a burst, and then the rate', () => {
  const throttle = throttleOf(['*', '/*', 10, 20]);
  expect(allowed(throttle, 'GET', '/a')).toBe(20);
  now += 1_000;
  expect(allowed(throttle, 'GET', '/a')).toBe(10);
  now += 60_000;
  expect(allowed(throttle, 'GET', '/a')).toBe(20);
});
