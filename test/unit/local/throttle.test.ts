import { Throttle } from '../../../local/cloud/api-gateway/integration.ts';
import { StageProperties } from '../../../local/cloud/api-gateway/properties.ts';

let now: number;
beforeEach(() => {
  now = 0;
});

/** Returns the throttle of a stage with these settings, each `[method, encoded path, rate, burst]`. */
function throttleOf(...settings: readonly (readonly [string, string, number, number])[]): Throttle {
  const MethodSettings = settings.map(
    ([HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit]) => ({
      HttpMethod,
      ResourcePath,
      ThrottlingRateLimit,
      ThrottlingBurstLimit,
    }),
  );
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
