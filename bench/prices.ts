import type { Calls } from './aws-calls.ts';
import { AWS } from './aws-prices.ts';
import { type Figure, withoutBound } from './figure.ts';

/** A pointer with ten versions has up to 3 KB. */
const POINTER_WRITE_UNITS = 3;

/** A page with three more files, as viewers request them. */
const REQUESTS_PER_VIEW = 4;

const COUNT = { views: 1_000_000, redeploys: 1_000 };

function invocation(ms: number, gigabytes: number): number {
  return AWS.invocation + (ms / 1000) * gigabytes * AWS.gigabyteSecond;
}

function callsCost({ writes, reads, s3Writes, s3Reads }: Calls): number {
  return (
    writes * POINTER_WRITE_UNITS * AWS.writeUnit +
    reads * AWS.readUnit +
    s3Writes * AWS.s3Write +
    s3Reads * AWS.s3Read
  );
}

export interface Measurements {
  readonly calls: Calls;
  readonly ms: number;
}

/** Returns what page views and redeploys cost, from the calls of a revalidated request and of a redeploy. */
export function costs(visit: Measurements, redeploy: Measurements): Figure[] {
  const edge = AWS.edgeRequest + AWS.edgeFunction;
  const asked = invocation(visit.ms, 0.5) + callsCost(visit.calls);
  const views = (origin: number) => COUNT.views * (REQUESTS_PER_VIEW * edge + origin * asked);
  const deploys = COUNT.redeploys * (invocation(redeploy.ms, 1) + callsCost(redeploy.calls));
  return [
    withoutBound('$ of 1 million page views, plain names', views(REQUESTS_PER_VIEW)),
    withoutBound('$ of 1 million page views, hashed names', views(1)),
    withoutBound('$ of 1,000 redeploys', deploys),
  ];
}
