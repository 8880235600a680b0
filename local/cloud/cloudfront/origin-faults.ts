import { channel } from 'node:diagnostics_channel';

/** Begins the log line of a failure of an origin that a stale response hides from the viewer. */
export const ORIGIN_FAULT = 'Origin fault behind a stale response:';

/** The channel that the same failures are published on, for tests in this process. */
export const ORIGIN_FAULTS = 'local-cloud:origin-faults';

const faults = channel(ORIGIN_FAULTS);

/** @param line method, path and status, such as `GET /a 502` */
export function reportOriginFault(line: string, log: (line: string) => void): void {
  log(`${ORIGIN_FAULT} ${line}`);
  faults.publish(line);
}
