import { type SiteCloud, startSiteCloud } from '../support/site-cloud.ts';
import { newCaller } from './client.ts';

/** With the patience of production: the suite's own few seconds for a provider are less than 50 generations take on two cores. */
describe('generations at once', () => {
  let running: SiteCloud;
  beforeAll(async () => {
    running = await startSiteCloud();
  });
  afterAll(() => running.close());

  it('50 all end right, each with its own project', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        newCaller(running.baseUrl).post('/api/v1/generate', { prompt: `a landing page called Site${i}x` }),
      ),
    );
    for (const [i, { status, text }] of answers.entries()) {
      expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
      expect(text).toContain(`Site${i}x`);
    }
  });
});
