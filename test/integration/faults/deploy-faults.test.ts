import { NO_RATE_LIMIT, startVariant, type Variant } from '../../support/cloud/variant.ts';
import { repeatsUnderItsKey, survivesCrashes } from '../../support/deploy-faults.ts';

describe('a redeploy during a crash', () => {
  let running: Variant;

  beforeAll(async () => {
    running = await startVariant(NO_RATE_LIMIT);
  });
  afterAll(() => running.close());

  it('can be retried with its Idempotency-Key and creates one version', () => repeatsUnderItsKey(running, 1));

  it('is visible completely or not at all', async () => {
    // Until a crash has cut off a deploy, which depends on the moment.
    let cut = 0;
    while (cut === 0) cut = await survivesCrashes(running, { batches: 2, backendDiesEvery: 2 });
  });
});
