import { newCaller } from '../../support/cloud/client.ts';
import { type Edit, NO_RATE_LIMIT, startVariant, type Variant } from '../../support/cloud/variant.ts';

describe('a stage whose throttle is small', () => {
  let variant: Variant;
  const narrow: Edit = (properties, type) => {
    if (type !== 'AWS::ApiGateway::Stage') return;
    const settings = properties.MethodSettings as Record<string, unknown>[];
    for (const setting of settings)
      Object.assign(setting, { ThrottlingRateLimit: 0.01, ThrottlingBurstLimit: 3 });
  };
  beforeAll(async () => {
    variant = await startVariant(NO_RATE_LIMIT, {}, narrow);
  });
  afterAll(() => variant.close());

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
    const others = ['/api/v1/deploy', '/api/v1/nothing'].map((path) =>
      newCaller(variant.baseUrl).post(path, {}),
    );
    expect((await Promise.all(others)).map((other) => other.status)).toEqual([400, 404]);
  });
});

describe('attempts that are limited to one at a time', () => {
  let variant: Variant;
  const oneAttempt: Edit = (properties, _, id) => {
    if (/^GenerationAttempt[0-9A-F]{8}$/.test(id)) properties.ReservedConcurrentExecutions = 1;
  };
  beforeAll(async () => {
    // The third one begins after 8 s, later than three retries with pauses of at most 1, 2 and 4 s.
    const PROVIDERS = { 'provider-d': { kind: 'scripted', script: 'answer', delayMs: 4_000 } };
    const variables = { ...NO_RATE_LIMIT, PROVIDERS, PROVIDER_NAMES: ['provider-d'] };
    variant = await startVariant(variables, {}, oneAttempt);
  });
  afterAll(() => variant.close());

  it('are made one after another: three generations at once succeed with their first provider', async () => {
    const generate = () =>
      newCaller(variant.baseUrl).post('/api/v1/generate', { prompt: 'a page', model: 'provider-d' });
    const generations = await Promise.all([generate(), generate(), generate()]);
    expect(generations.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { headers } of generations) {
      const id = String(headers['x-generation-id']);
      const { json } = await newCaller(variant.baseUrl).send(`/api/v1/generations/${id}`);
      expect(json.attempts).toMatchObject([{ provider: 'provider-d', outcome: 'succeeded' }]);
    }
  });
});
