import { NO_RATE_LIMIT, startVariant, type Variant } from '../support/cloud/variant.ts';
import { everyEdgeSeesEachDeploy } from '../support/visibility.ts';

let running: Variant;
beforeAll(async () => {
  running = await startVariant(NO_RATE_LIMIT, {
    invalidationSeconds: { effect: [5, 25], completion: [25, 30] },
  });
});
afterAll(() => running.close());

it('the first load after the response of a deploy sees its version at every edge, 250 times', async () => {
  expect(await everyEdgeSeesEachDeploy(running.baseUrl, 250)).toBeGreaterThan(250);
}, 600_000);
