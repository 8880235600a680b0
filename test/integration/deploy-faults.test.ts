import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { newCaller } from './client.ts';
import { ROUND_FILES, roundOf, roundSite } from './round-site.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from './variant.ts';

const PROJECTS = 8;
/** In each, a deploy of every project is under way when something dies. */
const BATCHES = 25;
/** How often, since no more deploys are at work at the same time than the machine has processors for. */
const DEATHS = 4;
const BACKEND_DIES_EVERY = 8;
/** Between two looks of a visitor: the machine shall have time for the deploys. */
const PAUSE_MS = 40;

/** A project whose visitors may see nothing older than what was acknowledged, and nothing that was never sent. */
class Project {
  readonly #projectId = `faults-${Math.random()}`;
  readonly #caller: ReturnType<typeof newCaller>;
  #id = '';
  #token: Record<string, string> = {};
  #acknowledged = 0;
  #attempted = 0;

  constructor(baseUrl: string) {
    this.#caller = newCaller(baseUrl);
  }

  /** Deploys the next round; its status. */
  deploy(headers: Record<string, string> = {}): Promise<number> {
    this.#attempted++;
    return this.repeat(headers);
  }

  /** Deploys the latest round again. An answer that breaks off is as good as a 502: nobody has read it. */
  async repeat(sentHeaders: Record<string, string>): Promise<number> {
    const round = this.#attempted;
    const body = { projectId: this.#projectId, files: roundSite(round) };
    const answer = await this.#caller
      .post('/api/v1/deploy', body, sentHeaders)
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET') throw error;
        return undefined;
      });
    if (answer === undefined) return 502;
    const { status, headers, json } = answer;
    if (status < 300) {
      this.#acknowledged = round;
      this.#id = json.id;
      // Only the first answer has it.
      const token = headers['x-deployment-token'];
      if (token !== undefined) this.#token = { 'x-deployment-token': String(token) };
    }
    return status;
  }

  /** How many versions there are. */
  async versions(): Promise<number> {
    const { json } = await this.#caller.send(`/api/v1/deployments/${this.#id}`, { headers: this.#token });
    return json.versions.length;
  }

  /** Looks at every file, and gives the rounds that were seen; undefined where a file was not to be had. */
  look(): Promise<(number | undefined)[]> {
    return Promise.all(
      ROUND_FILES.map(async (path) => {
        const oldest = this.#acknowledged;
        const answer = await this.#caller.send(`/d/${this.#id}/${path}`);
        if (answer.status === 503) return undefined;
        const round = roundOf(path, answer);
        if (round >= oldest && round <= this.#attempted) return round;
        throw new Error(`${path} is of round ${round}, not of ${oldest} to ${this.#attempted}`);
      }),
    );
  }

  /** Looks again and again until `done`. */
  async watch(done: Promise<unknown>): Promise<(number | undefined)[]> {
    let over = false;
    const end = done.then(() => {
      over = true;
    });
    const seen = [];
    while (!over) {
      seen.push(...(await this.look()));
      await setTimeout(PAUSE_MS);
    }
    await end;
    return seen;
  }

  async expectWhole(): Promise<void> {
    expect(await this.look()).toEqual(ROUND_FILES.map(() => this.#attempted));
  }
}

describe('a redeploy in which something dies', () => {
  let running: Variant;

  beforeAll(async () => {
    running = await startVariant(NO_RATE_LIMIT);
  });
  afterAll(() => running.close());

  it('can be repeated with its Idempotency-Key, and makes one version', async () => {
    const project = new Project(running.baseUrl);
    await project.deploy();
    const begin = performance.now();
    await project.deploy();
    const usual = performance.now() - begin;
    for (let round = 3; round <= 10; round++) {
      const key = { 'idempotency-key': `round-${round}` };
      const cut = project.deploy(key);
      await setTimeout(((round - 2) / 9) * usual);
      await running.crash('DeploymentsApi');
      await cut;
      expect(await project.repeat(key)).toBe(200);
      expect(await project.versions()).toBe(round);
      await project.expectWhole();
    }
  });

  it('is seen wholly or not at all, in 200 rounds', async () => {
    const seed = Number(process.env.FAULT_SEED ?? Math.trunc(Math.random() * 2 ** 31));
    const moment = fc.noBias(fc.integer({ min: 0, max: 999 }));
    const deaths = fc.sample(fc.array(moment, { minLength: DEATHS, maxLength: DEATHS }), {
      seed,
      numRuns: BATCHES,
    });
    const projects = Array.from({ length: PROJECTS }, () => new Project(running.baseUrl));
    const deployAll = () => Promise.all(projects.map((project) => project.deploy()));
    for (const _ of [1, 2]) await deployAll();
    const begin = performance.now();
    await deployAll();
    const usual = performance.now() - begin;
    let cut = 0;
    for (const [batch, moments] of deaths.entries()) {
      try {
        const deploys = deployAll();
        const watched = Promise.all(projects.map((project) => project.watch(deploys)));
        const backendDies = batch % BACKEND_DIES_EVERY === BACKEND_DIES_EVERY - 1;
        await Promise.all(
          (backendDies ? moments.slice(0, 1) : moments).map(async (moment) => {
            await setTimeout((moment / 1000) * usual);
            await (backendDies ? running.killBackend() : running.crash('DeploymentsApi'));
          }),
        );
        const statuses = await deploys;
        cut += statuses.filter((status) => status === 502).length;
        for (const status of statuses) expect([200, 502]).toContain(status);
        const missed = (await watched).flat().filter((round) => round === undefined);
        if (backendDies) await running.startBackend();
        else expect(missed).toEqual([]);
        expect(await deployAll()).toEqual(projects.map(() => 200));
        await Promise.all(projects.map((project) => project.expectWhole()));
      } catch (error) {
        throw new Error(`FAULT_SEED=${seed}, batch ${batch}`, { cause: error });
      }
    }
    // Otherwise the moments are not within the time that a deploy takes.
    expect(cut).toBeGreaterThan((PROJECTS * BATCHES) / 4);
  }, 600_000);
});
