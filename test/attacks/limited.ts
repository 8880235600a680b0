import { NO_RATE_LIMIT, startVariant } from '../support/cloud/variant.ts';
import { removeAtEnd, shared } from '../support/shared.ts';

/** The limits of `limitedCloud`. Its window is so long that no test meets the end of one, which is aligned with the clock. */
export const LIMITS = {
  windowSeconds: 1_000_000_000,
  anonymous: 1_000,
  key: 1_000,
  reads: 45,
  zips: 5,
  reports: 6,
};

/** A cloud with small limits of reads, zips and reports, which several files attack. */
export const limitedCloud = shared(
  async () => {
    const running = await startVariant({ ...NO_RATE_LIMIT, RATE_LIMIT: LIMITS });
    removeAtEnd(running.stateDir);
    return running;
  },
  (running) => running.close(),
);
