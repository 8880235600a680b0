import { buildBench } from './build.ts';
import { dataBench, deployBench, pageBench } from './deploy.ts';
import type { Figure } from './figure.ts';
import { limiterBench } from './limiter.ts';
import { paceBench } from './pace.ts';
import { startBench } from './start.ts';

/** Benchmarks in the order in which they run. */
export const BENCHES: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  deploy: deployBench,
  page: pageBench,
  data: dataBench,
  limiter: limiterBench,
  pace: paceBench,
  build: buildBench,
  start: startBench,
};
