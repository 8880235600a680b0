import { newCaller } from './client.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from './variant.ts';

/** Production's deadlines: on two cores, 12 generations take longer than the suite's short provider timeout. */
const DEADLINES = { providerTimeoutSeconds: 120, firstTokenSeconds: 45, stallSeconds: 30 };

describe('concurrent generations', () => {
  let running: Variant;
  beforeAll(async () => {
    running = await startVariant({ ...NO_RATE_LIMIT, DEADLINES });
  });
  afterAll(() => running.close());

  it('all 12 succeed, each with its own project', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        newCaller(running.baseUrl).post('/api/v1/generate', { prompt: `a landing page called Site${i}x` }),
      ),
    );
    for (const [i, { status, text }] of answers.entries()) {
      expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
      expect(text).toContain(`Site${i}x`);
    }
  });
});
