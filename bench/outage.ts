import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { startService } from '../local/service.ts';
import { freePort } from '../test/support/free-port.ts';
import { startSilentServer } from '../test/support/silent-server.ts';
import { atMost, exactly, type Figure, percentile } from './figure.ts';
import { share } from './ratio.ts';

const VISITS_PER_SECOND = 200;
const SECONDS = 12;
/** How often visits begin. */
const TICK_MS = 50;
const EDGES = 5;

const PAGE = '<title>Here before the outage</title>';

const agent = new Agent({ keepAlive: true });

interface VisitSample {
  readonly ms: number;
  /** Whether the visitor saw the page. */
  readonly page: boolean;
}

/** Measures visits of a page that edge locations have, while S3 and DynamoDB accept requests and never respond. */
export async function outageBench(): Promise<Figure[]> {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  const settings = { port: await freePort(), backendPort: await freePort(), stateDir, configFile: '' };
  const cloud = await startService(settings, {
    log: () => {},
    config: { stage: 'test', look: { enabled: false }, canary: { enabled: false } },
  });
  try {
    const url = await deployPage(cloud.baseUrl);
    for (let edge = 0; edge < EDGES; edge++) await visit(url, edge);
    const before = await visitFor(url, SECONDS / 3);
    await cloud.killBackend();
    const storage = await startSilentServer(settings.backendPort);
    const visits = await visitFor(url, SECONDS);
    await storage.close();
    return [
      share(
        `visits while storage hangs, ${VISITS_PER_SECOND} a second, p95 / 1 s more than before`,
        { atMost: 1 },
        p95(visits),
        p95(before) + 1_000,
        'ms',
      ),
      exactly(
        'visits while storage hangs, without a stale copy',
        visits.filter(({ page }) => !page).length,
        0,
      ),
      atMost(
        'visits while storage hangs, calls of storage per visit',
        storage.requests() / visits.length,
        0.2,
      ),
    ];
  } finally {
    agent.destroy();
    await cloud.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

function p95(visits: readonly VisitSample[]): number {
  return percentile(
    visits.map(({ ms }) => ms),
    0.95,
  );
}

async function deployPage(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v1/deploy`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ files: [{ path: 'index.html', content: PAGE }] }),
  });
  const { url } = (await response.json()) as { url: string };
  return `${url}/`;
}

/** Visits a page at a rate that does not depend on how long visits take. */
async function visitFor(url: string, seconds: number): Promise<VisitSample[]> {
  const visits: Promise<VisitSample>[] = [];
  const begin = performance.now();
  while (visits.length < seconds * VISITS_PER_SECOND) {
    const due = ((performance.now() - begin) / 1_000) * VISITS_PER_SECOND;
    while (visits.length < due) visits.push(visit(url, visits.length % EDGES));
    await setTimeout(TICK_MS);
  }
  return Promise.all(visits);
}

function visit(url: string, edge: number): Promise<VisitSample> {
  const begin = performance.now();
  const { promise, resolve } = Promise.withResolvers<VisitSample>();
  const end = (page: boolean) => resolve({ ms: performance.now() - begin, page });
  const headers = { 'x-local-edge': String(edge) };
  get(url, { headers, agent }, (response) => {
    text(response).then(
      (body) => end(body === PAGE),
      () => end(false),
    );
  }).on('error', () => end(false));
  return promise;
}
