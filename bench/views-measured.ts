import { callsOf } from './aws-calls.ts';
import { atMost, type Figure } from './figure.ts';
import { measureMs, ratio } from './ratio.ts';

type SiteHandler = (event: object) => Promise<{ readonly statusCode: number }>;

const { PAGE, SITE_BUNDLE, VIEWS_TABLE } = process.env;

/** As many views as are written together. */
const BATCH = 25;

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

console.info = () => {};

/** Loads the function once more: with the table of views it counts. */
async function load(name: string, table: string): Promise<SiteHandler> {
  process.env.VIEWS_TABLE = table;
  if (table === '') delete process.env.VIEWS_TABLE;
  const { handler } = (await import(`${SITE_BUNDLE}?${name}`)) as { handler: SiteHandler };
  return handler;
}

let visitors = 0;

async function visit(handler: SiteHandler, path = ''): Promise<void> {
  const { statusCode } = await handler({
    rawPath: `/d/${PAGE}/${path}`,
    rawQueryString: '',
    headers: {
      'x-ptp-navigation': '1',
      'x-ptp-viewer-address': `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors++ & 255}`,
      'user-agent': BROWSER,
      referer: 'https://news.example/item',
    },
    requestContext: { http: { method: 'GET' } },
  });
  if (statusCode !== 200) throw new Error(`the visit failed: ${statusCode}`);
}

const visits = async (handler: SiteHandler, count: number) => {
  for (let i = 0; i < count; i++) await visit(handler);
};

const counting = await load('counting', VIEWS_TABLE ?? '');
const plain = await load('plain', '');
const average = async (handler: SiteHandler) => (await measureMs(() => visits(handler, BATCH))) / BATCH;

// More visitors than a sample has: the writes are as large as those of a busy page.
await visits(counting, 3_000);
const load1000 = await callsOf(() => visits(counting, 1_000));
const figures: Figure[] = [
  await ratio(
    'a counted visit / one that is not, the average of 25',
    { atMost: 1.3 },
    () => average(counting),
    () => average(plain),
    { rounds: 40 },
  ),
  await ratio(
    'the longest of 25 counted visits / the longest of 25 others',
    'none',
    () => longest(counting),
    () => longest(plain),
    { rounds: 40, seconds: 2 },
  ),
  atMost('DynamoDB writes per view under load', load1000.writes / 1_000, 1 / 20),
  atMost('DynamoDB reads per view under load, besides that of the visit', load1000.reads / 1_000 - 1, 0.01),
];
console.log(JSON.stringify(figures));

async function longest(handler: SiteHandler): Promise<number> {
  let most = 0;
  for (let i = 0; i < BATCH; i++) most = Math.max(most, await measureMs(() => visit(handler)));
  return most;
}
