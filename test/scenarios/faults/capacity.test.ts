import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { type Edit, NO_RATE_LIMIT, startVariant } from '../../support/cloud/variant.ts';

const narrow: Edit = (properties, type) => {
  if (type !== 'AWS::ApiGateway::Stage') return;
  const settings = properties.MethodSettings as Record<string, unknown>[];
  for (const setting of settings) Object.assign(setting, { ThrottlingRateLimit: 0.01, ThrottlingBurstLimit: 3 });
};
const variant = closeAtEnd(await startVariant(NO_RATE_LIMIT, {}, narrow));

describe('a stage whose throttle is small', () => {
  it('answers requests beyond it with a 429 in the format of the API, and serves other operations', async () => {
    // They are invalid, so that those that are admitted have no effect.
    const generate = () => newCaller(variant.baseUrl).post('/api/v1/generate', {});
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await generate()).status);
    expect(statuses).toEqual([400, 400, 400, 429]);
    const { status, headers, json } = await generate();
    expect([status, headers['retry-after'], headers['access-control-allow-origin']]).toEqual([429, '1', '*']);
    expect(json).toEqual({
      error: expect.stringContaining('overall request limit'),
      retryAfter: 1,
      docs: '/docs#rate-limits',
    });
    const others = ['/api/v1/deploy', '/api/v1/nothing'].map((path) => newCaller(variant.baseUrl).post(path, {}));
    expect((await Promise.all(others)).map((other) => other.status)).toEqual([400, 404]);
  });
});
