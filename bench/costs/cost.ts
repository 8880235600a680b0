import { AWS } from './aws-prices.ts';
import type { Calls, Measured } from './measured.ts';

/** Assumed durations in seconds by the name of the function: those of the local cloud say nothing about AWS. */
const SECONDS: Readonly<Record<string, number>> = {
  DeploymentsApi: 0.3,
  DeploymentsGenerated: 1,
  DeploymentsSite: 0.02,
  DeploymentsDownload: 0.2,
  GenerationAttempt: 1,
};
const OTHER_SECONDS = 0.05;

/** Assumed bytes that an invocation logs. */
export const LOGGED_BYTES = 1_000;

/** CloudFront runs a function for each request, and another one for the responses of pages. */
const EDGE = AWS.edgeRequest + 2 * AWS.edgeFunction;

export const GB = 1e9;
export const DAY_SECONDS = 86_400;

/** Which doors a request passes: CloudFront, and for the API also API Gateway. */
export type Door = 'page' | 'api';

/** Returns the cost of a request at the doors in US dollars. */
export const doorCost = (door: Door) => EDGE + (door === 'api' ? AWS.apiRequest : 0);

/** Returns the cost of a function's instance in US dollars per second. */
export const secondCost = (memoryMb: number) => (memoryMb / 1_024) * AWS.gigabyteSecond;

/**
 * Returns what a request costs in US dollars, without the bytes of its response.
 * @param seconds durations of functions other than the assumed ones
 */
export function requestCost(
  { invocations, ...calls }: Calls,
  door: Door,
  { memoryMb }: Pick<Measured, 'memoryMb'>,
  seconds: Readonly<Record<string, number>> = {},
): number {
  const invoked = Object.entries(invocations).map(([name, count]) => {
    const duration = seconds[name] ?? SECONDS[name] ?? OTHER_SECONDS;
    const logged = (LOGGED_BYTES / GB) * AWS.loggedGigabyte;
    return count * (AWS.invocation + duration * secondCost(memoryMb[name] ?? 512) + logged);
  });
  const total =
    calls.readUnits * AWS.readUnit +
    calls.writeUnits * AWS.writeUnit +
    calls.s3Reads * AWS.s3Read +
    calls.s3Writes * AWS.s3Write +
    calls.transitions * AWS.transition;
  return doorCost(door) + total + invoked.reduce((sum, cost) => sum + cost, 0);
}
