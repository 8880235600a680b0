import type { Calls } from './aws-calls.ts';
import { type Figure, withoutBound } from './figure.ts';

/**
 * On-demand prices in us-east-1 in US dollars, without free tiers, from AWS's pricing pages on 2026-11-22.
 * https://aws.amazon.com/dynamodb/pricing/on-demand/, /s3/pricing/, /lambda/pricing/ (arm64), /cloudfront/pricing/
 */
const PRICE = {
  /** A write unit is up to 1 KB, a read unit a consistent read of up to 4 KB. */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  s3Write: 5e-6,
  s3Read: 0.4e-6,
  invocation: 0.2e-6,
  gigabyteSecond: 13.3334e-6,
  request: 1e-6,
  edgeFunction: 0.1e-6,
  /** An invalidation path beyond 1,000 a month; a cache tag counts as one. */
  invalidation: 5e-3,
} as const;

/** A pointer with ten versions has up to 3 KB. */
const POINTER_WRITE_UNITS = 3;

/** A page with three more files, as viewers request them. */
const REQUESTS_PER_VIEW = 4;

const COUNT = { views: 1_000_000, redeploys: 1_000 };

function invocation(ms: number, gigabytes: number): number {
  return PRICE.invocation + (ms / 1000) * gigabytes * PRICE.gigabyteSecond;
}

function callsCost({ writes, reads, s3Writes, s3Reads }: Calls): number {
  return (
    writes * POINTER_WRITE_UNITS * PRICE.writeUnit +
    reads * PRICE.readUnit +
    s3Writes * PRICE.s3Write +
    s3Reads * PRICE.s3Read
  );
}

export interface Measurements {
  readonly calls: Calls;
  readonly ms: number;
}

/** Returns what page views and redeploys cost, from the calls of a revalidated request and of a redeploy. */
export function costs(visit: Measurements, redeploy: Measurements): Figure[] {
  const edge = PRICE.request + PRICE.edgeFunction;
  const asked = invocation(visit.ms, 0.5) + callsCost(visit.calls);
  const views = (origin: number) => COUNT.views * (REQUESTS_PER_VIEW * edge + origin * asked);
  const deploys = COUNT.redeploys * (invocation(redeploy.ms, 1) + callsCost(redeploy.calls));
  return [
    withoutBound('$ of 1 million page views, plain names', views(REQUESTS_PER_VIEW)),
    withoutBound('$ of 1 million page views, hashed names', views(1)),
    withoutBound('$ of 1 million page views, answered by the edge (before; edgeSeconds)', views(0)),
    withoutBound('$ of 1,000 redeploys', deploys),
    withoutBound(
      '$ of 1,000 redeploys with an invalidation each (before)',
      deploys + COUNT.redeploys * PRICE.invalidation,
    ),
  ];
}
