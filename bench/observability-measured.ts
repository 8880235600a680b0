import { handlerOf } from './invoke.ts';
import { measureMs, ratio } from './ratio.ts';

/** Requests that no route matches, so that only the pipeline runs. Measured in batches, since one takes about a millisecond. */
const REQUESTS = 50;

const [own, silent] = await Promise.all([
  handlerOf(process.env.BUNDLE ?? ''),
  handlerOf(process.env.SILENT ?? ''),
]);
const requests = (invoke: typeof own) => () =>
  measureMs(async () => {
    for (let i = 0; i < REQUESTS; i++) await invoke({ path: '/api/v1/nothing' });
  });
const figure = await ratio(
  `${REQUESTS} requests / without logs and metrics`,
  { atMost: 1.05 },
  requests(own),
  requests(silent),
  { rounds: 41, seconds: 60 },
);
console.log(JSON.stringify([figure]));
