import { NO_RATE_LIMIT, startVariant, type Variant } from '../support/cloud/variant.ts';
import { DEPLOYS_PER_BATCH, repeatsUnderItsKey, survivesCrashes } from '../support/deploy-faults.ts';

describe('a redeploy in which something dies', () => {
  let running: Variant;

  beforeAll(async () => {
    running = await startVariant(NO_RATE_LIMIT);
  });
  afterAll(() => running.close());

  it('can be repeated with its Idempotency-Key, and makes one version', () => repeatsUnderItsKey(running, 8));

  it('is seen as a whole or not at all, in 200 rounds', async () => {
    const cut = await survivesCrashes(running, { batches: 25, backendDiesEvery: 8 });
    // Otherwise the crashes do not fall into the time that a deploy takes.
    expect(cut).toBeGreaterThan((DEPLOYS_PER_BATCH * 25) / 4);
  }, 600_000);
});
