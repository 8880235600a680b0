import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newCaller } from '../cloud/client.ts';
import { until } from '../cloud/events.ts';
import { NewPages, RedeployedPage } from './deployed.ts';
import type { Responses } from './record.ts';

const RUNNING = ['queued', 'running', 'deploying'];

/** Generations that their callers wait for, and others that are sent again with their `Idempotency-Key` until they are accepted. */
class Generations {
  readonly #caller: ReturnType<typeof newCaller>;
  readonly #responses: Responses;
  /** The ids of all generations that were accepted. */
  readonly #accepted = new Set<string>();
  #key: string | undefined;
  /** What the current key has led to. */
  #idOfKey: string | undefined;

  constructor(baseUrl: string, responses: Responses) {
    this.#caller = newCaller(baseUrl);
    this.#responses = responses;
  }

  async wait(): Promise<void> {
    const sent = this.#caller.post('/api/v1/generate', { prompt: 'a timer' });
    const response = await this.#responses.note('generate', sent);
    const id = response?.headers['x-generation-id'];
    if (id !== undefined && response?.status === 200) this.#accepted.add(String(id));
  }

  async startOnce(): Promise<void> {
    this.#key ??= randomUUID();
    const headers = { 'idempotency-key': this.#key, prefer: 'respond-async' };
    const sent = this.#caller.post('/api/v1/generate', { prompt: 'a clock' }, headers);
    const response = await this.#responses.note('generate async', sent);
    const id = response?.headers['x-generation-id'];
    if (id !== undefined) {
      this.#idOfKey ??= String(id);
      expect(id).toBe(this.#idOfKey);
    }
    if (response?.status !== 202) return;
    this.#accepted.add(String(id));
    this.#key = undefined;
    this.#idOfKey = undefined;
  }

  /** Expects that each generation ends, with one attempt that succeeded, or a reason. */
  async expectEnded(): Promise<number> {
    for (const id of this.#accepted) {
      const path = `/api/v1/generations/${id}`;
      await until(async () => !RUNNING.includes((await this.#caller.send(path)).json.status));
      const { status, attempts } = (await this.#caller.send(path)).json;
      const succeeded = attempts.filter(({ outcome }: { outcome: string }) => outcome === 'succeeded');
      const result = await this.#caller.send(`${path}/result`);
      if (status === 'succeeded') expect([succeeded.length, result.status]).toEqual([1, 200]);
      else expect([status, result.json]).toEqual(['failed', { error: expect.any(String) }]);
    }
    return this.#accepted.size;
  }
}

const ASSETS = '/api/v1/assets/user-assets/';
const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');
const ATTRIBUTES = { name: 'me.png', type: 'image/png', size: PNG.length };

/** Uploads of assets. What was marked as uploaded is there. */
class Uploads {
  readonly #caller: ReturnType<typeof newCaller>;
  readonly #responses: Responses;
  readonly #key: { readonly 'x-api-key': string };
  readonly #uploaded: string[] = [];

  constructor(baseUrl: string, responses: Responses, key: string) {
    this.#caller = newCaller(baseUrl);
    this.#responses = responses;
    this.#key = { 'x-api-key': key };
  }

  async upload(): Promise<void> {
    const sent = this.#caller.post(ASSETS, { attributes: ATTRIBUTES }, this.#key);
    const created = await this.#responses.note('asset', sent);
    if (created?.status !== 201) return;
    const { asset_id, upload_url, upload_headers } = created.json;
    const { origin, pathname, search } = new URL(upload_url);
    const put = { method: 'PUT', body: PNG, headers: upload_headers };
    const stored = await this.#responses.note('upload', newCaller(origin).send(pathname + search, put));
    if (stored?.status !== 200) return;
    const path = `${ASSETS}${asset_id}/`;
    const patch = { method: 'PATCH', body: {}, headers: this.#key };
    const marked = await this.#responses.note('asset', this.#caller.send(path, patch));
    if (marked?.status === 204) this.#uploaded.push(path);
  }

  async expectKept(): Promise<number> {
    for (const path of this.#uploaded) {
      const { json } = await this.#caller.send(path, { headers: this.#key });
      expect(json).toMatchObject({ state: 'uploaded', attributes: ATTRIBUTES });
      const { origin, pathname, search } = new URL(json.download_url);
      expect((await newCaller(origin).send(pathname + search)).bytes).toEqual(PNG);
    }
    return this.#uploaded.length;
  }
}

const PAUSE_MS = 100;
/** Generations take most of the machine. */
const GENERATION_PAUSE_MS = 400;

/** How many of each were acknowledged, and are there. */
export interface Kept {
  readonly pages: number;
  readonly generations: number;
  readonly assets: number;
}

/** Callers who do all that the service offers at the same time, each one thing after another. */
export class Traffic {
  readonly #page: RedeployedPage;
  readonly #pages: NewPages;
  readonly #generations: Generations;
  readonly #uploads: Uploads;
  #isOver = false;
  #callers: Promise<unknown> = Promise.resolve();
  #failure: Error | undefined;

  /** @param key may upload assets */
  constructor(baseUrl: string, responses: Responses, key: string) {
    this.#page = new RedeployedPage(baseUrl, responses);
    this.#pages = new NewPages(baseUrl, responses);
    this.#generations = new Generations(baseUrl, responses);
    this.#uploads = new Uploads(baseUrl, responses, key);
  }

  async start(): Promise<void> {
    const page = this.#page;
    await page.deploy();
    const callers = [
      this.#repeat(() => page.deploy()),
      this.#repeat(() => page.visit()),
      this.#repeat(() => page.changeSettings()),
      this.#repeat(() => page.read()),
      this.#repeat(() => this.#pages.deploy()),
      this.#repeat(() => this.#uploads.upload()),
      this.#repeat(() => this.#generations.wait(), GENERATION_PAUSE_MS),
      this.#repeat(() => this.#generations.startOnce(), GENERATION_PAUSE_MS),
    ];
    this.#callers = Promise.all(callers).catch((error: Error) => {
      this.#failure = error;
    });
  }

  /** @throws the error of a caller who saw what must not be */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#callers;
    this.check();
  }

  /** Expects that nothing acknowledged is lost. */
  async expectKept(): Promise<Kept> {
    await this.#page.expectKept();
    return {
      pages: await this.#pages.expectKept(),
      generations: await this.#generations.expectEnded(),
      assets: await this.#uploads.expectKept(),
    };
  }

  async #repeat(act: () => Promise<void>, pauseMs = PAUSE_MS): Promise<void> {
    while (!this.#isOver) {
      await act();
      await sleep(pauseMs);
    }
  }
}
