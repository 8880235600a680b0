import { DEPLOYS_PER_BATCH, repeatsUnderItsKey, survivesCrashes } from '../support/deploy-faults.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from './variant.ts';

describe('a redeploy in which something dies', () => {
  let running: Variant;

  beforeAll(async () => {
    running = await startVariant(NO_RATE_LIMIT);
  });
  afterAll(() => running.close());

  it('can be repeated with its Idempotency-Key, and makes one version', () => repeatsUnderItsKey(running, 2));

  it('is seen as a whole or not at all, in 24 rounds', async () => {
    const cut = await survivesCrashes(running, { batches: 3, backendDiesEvery: 3 });
    // Otherwise the crashes do not fall into the time that a deploy takes.
    expect(cut).toBeGreaterThan((DEPLOYS_PER_BATCH * 3) / 4);
  });
});
