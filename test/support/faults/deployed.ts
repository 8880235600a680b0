import { newCaller } from '../cloud/client.ts';
import { takeOriginFaults } from '../origin-faults.ts';
import { EDGES } from '../private-pages.ts';
import type { Responses } from './record.ts';

const page = (text: string) => [{ path: 'index.html', content: `<title>${text}</title>` }];
/** Each change of the settings makes the life an hour longer. */
const LIFE_SECONDS = 100_000;
const HOUR_SECONDS = 3_600;

/** Deploys with one `projectId`, visits at several edges, and changes of settings. Nothing acknowledged may be lost. */
export class RedeployedPage {
  readonly #caller: ReturnType<typeof newCaller>;
  readonly #responses: Responses;
  readonly #projectId = `faults-${Math.random()}`;
  #id = '';
  #token: { 'x-deployment-token': string } | undefined;
  #attempted = 0;
  #acknowledged = 0;
  #visits = 0;
  #lives = 0;
  #acknowledgedLife = 0;

  constructor(baseUrl: string, responses: Responses) {
    this.#caller = newCaller(baseUrl);
    this.#responses = responses;
  }

  async deploy(): Promise<void> {
    const round = ++this.#attempted;
    const body = { projectId: this.#projectId, files: page(`Round ${round}`) };
    const response = await this.#responses.note(
      'deploy',
      this.#caller.post('/api/v1/deploy', body, { ...this.#token }),
    );
    if (response === undefined || response.status >= 300) return;
    this.#acknowledged = round;
    this.#id = response.json.id;
    const token = response.headers['x-deployment-token'];
    if (token !== undefined) this.#token = { 'x-deployment-token': String(token) };
  }

  /** Visits the page at the next edge. @throws Error if it is older than what was acknowledged, unless its origin has failed */
  async visit(): Promise<void> {
    const oldest = this.#acknowledged;
    const edge = EDGES[this.#visits++ % EDGES.length] ?? '0';
    const path = `/d/${this.#id}/`;
    const sent = this.#caller.send(path, { headers: { 'x-local-edge': edge } });
    const response = await this.#responses.note('visit', sent);
    const isStale = takeOriginFaults().some((fault) => fault.startsWith(`GET ${path} `));
    if (response?.status !== 200) return;
    const round = Number(/Round (\d+)/.exec(response.text)?.[1]);
    if (round > this.#attempted || (round < oldest && !isStale))
      throw new Error(`Edge ${edge} shows round ${round}, not ${oldest} to ${this.#attempted}`);
  }

  async changeSettings(): Promise<void> {
    const seconds = LIFE_SECONDS + HOUR_SECONDS * ++this.#lives;
    const body = { expiresInSeconds: seconds };
    const sent = { method: 'PATCH', body, headers: { ...this.#token } };
    const response = await this.#responses.note('settings', this.#caller.send(this.#resource, sent));
    if (response?.status === 200) this.#acknowledgedLife = seconds;
  }

  async read(): Promise<void> {
    await this.#responses.note('read', this.#caller.send(this.#resource, { headers: { ...this.#token } }));
  }

  /** Expects that every edge shows what was acknowledged last, and that the settings are as they were. */
  async expectKept(): Promise<void> {
    await this.deploy();
    expect(this.#acknowledged).toBe(this.#attempted);
    const { json } = await this.#caller.send(this.#resource, { headers: { ...this.#token } });
    const hours = (this.#acknowledgedLife - (json.expiresAt - Date.now()) / 1_000) / HOUR_SECONDS;
    expect(Math.round(hours)).toBe(0);
    for (const edge of EDGES) {
      const visited = await this.#caller.send(`/d/${this.#id}/`, { headers: { 'x-local-edge': edge } });
      expect(visited.text).toBe(`<title>Round ${this.#acknowledged}</title>`);
    }
    expect(json.versions.length).toBeLessThanOrEqual(11);
  }

  get #resource(): string {
    return `/api/v1/deployments/${this.#id}`;
  }
}

/** Deploys of a new page each, which is visited at once. */
export class NewPages {
  readonly #caller: ReturnType<typeof newCaller>;
  readonly #responses: Responses;
  readonly #texts = new Map<string, string>();

  constructor(baseUrl: string, responses: Responses) {
    this.#caller = newCaller(baseUrl);
    this.#responses = responses;
  }

  async deploy(): Promise<void> {
    const text = `Page ${this.#texts.size} ${Math.random()}`;
    const sent = this.#caller.post('/api/v1/deploy', { files: page(text) });
    const response = await this.#responses.note('new deploy', sent);
    if (response?.status !== 201) return;
    const { id } = response.json;
    this.#texts.set(id, text);
    const visited = await this.#responses.note('visit', this.#caller.send(`/d/${id}/`));
    if (visited?.status === 200) expect(visited.text).toBe(`<title>${text}</title>`);
  }

  async expectKept(): Promise<number> {
    for (const [id, text] of this.#texts)
      expect((await this.#caller.send(`/d/${id}/`)).text).toBe(`<title>${text}</title>`);
    return this.#texts.size;
  }
}
