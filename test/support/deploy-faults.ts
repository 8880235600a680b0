import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { newCaller } from './cloud/client.ts';
import { until } from './cloud/events.ts';
import { ROUND_FILES, roundOf, roundSite } from './cloud/round-site.ts';
import type { Variant } from './cloud/variant.ts';
import { takeOriginFaults } from './origin-faults.ts';

const PROJECTS = 8;
/** Crashes per batch: only as many deploys work at once as the machine has processors. */
const DEATHS = 4;
/** Pause between two visits, which leaves the machine time for the deploys. */
const PAUSE_MS = 40;

/** Failures of the origin behind copies at the edge, in the current batch. */
const hidden = new Set<string>();

function noteHidden(): void {
  for (const fault of takeOriginFaults()) hidden.add(fault);
}

/** A project whose visitors may see nothing older than what was acknowledged, and nothing that was never sent. */
export class RedeployedProject {
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
        noteHidden();
        // While the backend is down, a copy at the edge is as good as a 503.
        if (round < oldest && hidden.has(`GET /d/${this.#id}/${path} 503`)) return undefined;
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

  /** Expects the latest round in every file. While instances and the backend start, a visit may time out, which is a 503. */
  async expectWhole(): Promise<void> {
    let seen: readonly (number | undefined)[] = [];
    await until(async () => {
      seen = await this.look();
      return !seen.includes(undefined);
    });
    expect(seen).toEqual(ROUND_FILES.map(() => this.#attempted));
  }
}

/**
 * Crashes the deploy function while every project is being redeployed, `batches` times; every `backendDiesEvery`th time the
 * backend is killed instead. Visitors must see whole versions only, and the next deploy of each project must succeed.
 * @returns the number of deploys that were cut off
 */
export async function survivesCrashes(
  running: Variant,
  { batches, backendDiesEvery }: { readonly batches: number; readonly backendDiesEvery: number },
): Promise<number> {
  const seed = Number(process.env.FAULT_SEED ?? Math.trunc(Math.random() * 2 ** 31));
  const moment = fc.noBias(fc.integer({ min: 0, max: 999 }));
  const deaths = fc.sample(fc.array(moment, { minLength: DEATHS, maxLength: DEATHS }), {
    seed,
    numRuns: batches,
  });
  const projects = Array.from({ length: PROJECTS }, () => new RedeployedProject(running.baseUrl));
  /** The shortest time of a round, so that the crashes fall into it on a machine that is slow at times. */
  let usual = Number.POSITIVE_INFINITY;
  const deployAll = async () => {
    const begin = performance.now();
    const statuses = await Promise.all(projects.map((project) => project.deploy()));
    usual = Math.min(usual, performance.now() - begin);
    return statuses;
  };
  for (const _ of [1, 2, 3]) await deployAll();
  let cut = 0;
  for (const [batch, moments] of deaths.entries()) {
    try {
      const backendDies = batch % backendDiesEvery === backendDiesEvery - 1;
      cut += await crashWhileDeploying(running, projects, backendDies ? moments.slice(0, 1) : moments, {
        usual,
        backendDies,
      });
      expect(await deployAll()).toEqual(projects.map(() => 200));
      await Promise.all(projects.map((project) => project.expectWhole()));
    } catch (error) {
      throw new Error(`FAULT_SEED=${seed}, batch ${batch}`, { cause: error });
    }
  }
  return cut;
}

async function crashWhileDeploying(
  running: Variant,
  projects: readonly RedeployedProject[],
  moments: readonly number[],
  { usual, backendDies }: { readonly usual: number; readonly backendDies: boolean },
): Promise<number> {
  const deploys = Promise.all(projects.map((project) => project.deploy()));
  const watched = Promise.all(projects.map((project) => project.watch(deploys)));
  await Promise.all(
    moments.map(async (moment) => {
      await setTimeout((moment / 1000) * usual);
      await (backendDies ? running.killBackend() : running.crash('DeploymentsApi'));
    }),
  );
  const statuses = await deploys;
  for (const status of statuses) expect([200, 502, 503]).toContain(status);
  const missed = (await watched).flat().filter((round) => round === undefined);
  noteHidden();
  if (backendDies) {
    await running.startBackend();
    // New instances have not found storage unreachable, after which they would not call it for some seconds.
    await running.crash('DeploymentsSite');
  } else expect([...missed, ...hidden]).toEqual([]);
  hidden.clear();
  return statuses.filter((status) => status !== 200).length;
}

/** Crashes the deploy function at `rounds` moments of one deploy; each repeats under its Idempotency-Key. */
export async function repeatsUnderItsKey(running: Variant, rounds: number): Promise<void> {
  const project = new RedeployedProject(running.baseUrl);
  await project.deploy();
  const begin = performance.now();
  await project.deploy();
  const usual = performance.now() - begin;
  for (let round = 1; round <= rounds; round++) {
    const key = { 'idempotency-key': `round-${round}` };
    const cut = project.deploy(key);
    await setTimeout((round / (rounds + 1)) * usual);
    await running.crash('DeploymentsApi');
    await cut;
    expect(await project.repeat(key)).toBe(200);
    expect(await project.versions()).toBe(round + 2);
    await project.expectWhole();
  }
}

export const DEPLOYS_PER_BATCH = PROJECTS;
