import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { packSite } from '../../lambda/sites/archive.ts';
import { unavailable } from '../../lambda/sites/serving/notice-pages.ts';
import type { Deployment } from '../../lambda/stored/deployment.ts';
import { type GuardedReads, guardedReads } from '../../lambda/visits/guarded-reads.ts';
import { visit } from '../../lambda/visits/visit.ts';
import { EdgeCache } from '../../local/cloud/cloudfront/edge-cache.ts';
import { DistributionProperties } from '../../local/cloud/cloudfront/properties.ts';
import type { HttpRequest, HttpResponse } from '../../local/cloud/http.ts';
import { aDeployment, aVersion } from '../support/a-deployment.ts';
import { ROUND_FILES, roundOf, roundSite } from '../support/cloud/round-site.ts';

const ROUNDS = 200;
const EDGES = 5;
/** The longest that storage takes, and after which the client of a visit gives up on it. */
const SLOWEST_MS = 8;
const TIMEOUT_MS = 400;

const ID = 'abcdefghijkl';
const NONE = { mode: 'none', names: [] } as const;
const BEHAVIOR = {
  cachePolicy: { headers: NONE, query: NONE, encodings: [], minTtl: 0, defaultTtl: 0, maxTtl: 31_536_000 },
  originRequestPolicy: { headers: NONE, query: NONE, cookies: NONE },
};
const { DistributionConfig } = DistributionProperties.parse({
  DistributionConfig: {
    Enabled: true,
    Origins: [],
    DefaultCacheBehavior: { TargetOriginId: 'site', CachePolicyId: 'pages' },
    CustomErrorResponses: [{ ErrorCode: 503, ErrorCachingMinTTL: 0 }],
  },
});

/** Storage with one deployment, which fails at times. */
class Storage {
  state: 'works' | 'refuses' | 'is silent' = 'works';
  #live = -1;

  find = () =>
    this.#call((): Deployment => {
      const live = String(this.#live);
      return aDeployment({ id: ID, live, versions: [aVersion(live, { fileCount: 4 })] });
    });
  archive = (_id: string, { version }: { readonly version: string }) => this.#call(() => archiveOf(Number(version)));
  look = async () => undefined;

  async deploy(round: number): Promise<void> {
    await this.#call(() => {
      this.#live = round;
    });
  }

  async #call<Result>(result: () => Result): Promise<Result> {
    const { state } = this;
    await sleep(Math.random() * SLOWEST_MS);
    if (state === 'refuses') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    if (state === 'works') return result();
    await sleep(TIMEOUT_MS);
    throw Object.assign(new Error('No response'), { name: 'TimeoutError' });
  }
}

function archiveOf(round: number): Uint8Array {
  const files = roundSite(round).map(({ path, content }) => ({ path, content: Buffer.from(content) }));
  return packSite(files.map((file) => ({ ...file, size: file.content.length })));
}

/** The instances of the site function. As on Lambda, each serves one visit at a time. */
class Instances {
  readonly #storage: Storage;
  readonly #idle: GuardedReads[] = [];

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async respond({ path, headers }: HttpRequest): Promise<HttpResponse> {
    const at = Math.floor(Math.random() * this.#idle.length);
    const [instance = guardedReads(this.#storage, 0, Date.now)] = this.#idle.splice(at, 1);
    const ifNoneMatch = headers.find(([name]) => name === 'If-None-Match')?.[1];
    const asked = {
      rawPath: path,
      rawQuery: '',
      navigation: false,
      conditions: { ifNoneMatch },
      visitor: { cookies: [], baseUrl: 'https://example.com', secure: true },
    };
    const response = await visit(asked, { ...instance, clock: Date.now }).catch(unavailable);
    this.#idle.push(instance);
    const { status, headers: fields, body } = response;
    return { status, headers: Object.entries(fields), body: Buffer.from(body), servedBy: 'site' };
  }
}

it(`after each of ${ROUNDS} outages, the page is whole at every edge once a deploy was answered`, async () => {
  const storage = new Storage();
  const instances = new Instances(storage);
  let copies = 0;
  const edges = Array.from({ length: EDGES }, () => new EdgeCache(DistributionConfig, () => copies++));
  const load = (edge: EdgeCache) =>
    Promise.all(
      ROUND_FILES.map(async (file) => {
        const path = `/d/${ID}/${file}`;
        const request = { method: 'GET', path, query: '', headers: [], body: Readable.from([]), peerIp: '' };
        const send = (sent: HttpRequest) => instances.respond(sent);
        const { status, body } = await edge.fetch({ request, behavior: BEHAVIOR, viewerPath: path, send });
        return roundOf(file, { status, text: String(body) });
      }),
    );
  const loadAll = async () => (await Promise.all(edges.map(load))).flat();
  await storage.deploy(0);
  await loadAll();
  let over = false;
  // Their visits begin before, in and after each outage.
  const others = edges.map(async (edge) => {
    while (!over) {
      await load(edge);
      await sleep(10);
    }
  });
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      copies = 0;
      storage.state = round % 2 === 0 ? 'refuses' : 'is silent';
      const seen = loadAll();
      await sleep(Math.random() * 300);
      storage.state = 'works';
      await storage.deploy(round);
      const loaded = await loadAll();
      expect(loaded).toEqual(loaded.map(() => round));
      await seen;
      // Otherwise no visit met the outage.
      expect(copies).toBeGreaterThan(0);
    }
  } finally {
    over = true;
    await Promise.all(others);
  }
}, 1_800_000);
