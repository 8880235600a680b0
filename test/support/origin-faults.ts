import { subscribe } from 'node:diagnostics_channel';
import { ORIGIN_FAULTS } from '../../local/cloud/cloudfront/distribution.ts';

const faults: string[] = [];
subscribe(ORIGIN_FAULTS, (line) => void faults.push(String(line)));

/**
 * Returns the failures of origins that stale responses hid since the last call, such as `GET /d/x/ 502`. A test that breaks
 * an origin on purpose calls it; any other test with such a failure fails.
 */
export function takeOriginFaults(): string[] {
  return faults.splice(0);
}
