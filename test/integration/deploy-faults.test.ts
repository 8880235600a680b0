import { DEPLOYS_PER_BATCH, repeatsUnderItsKey, survivesCrashes } from '../support/deploy-faults.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from './variant.ts';

describe('a redeploy during a crash', () => {
  let running: Variant;

  beforeAll(async () => {
    running = await startVariant(NO_RATE_LIMIT);
  });
  afterAll(() => running.close());

  it('can be retried with its Idempotency-Key and creates one version', () => repeatsUnderItsKey(running, 2));

  it('is visible completely or not at all, in 24 rounds', async () => {
    const cut = await survivesCrashes(running, { batches: 3, backendDiesEvery: 3 });
    // Otherwise the crashes would not happen during a deploy.
    expect(cut).toBeGreaterThan((DEPLOYS_PER_BATCH * 3) / 4);
  });
});
