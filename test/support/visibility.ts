import { setTimeout } from 'node:timers/promises';
import { newCaller } from './cloud/client.ts';
import { ROUND_FILES, roundOf, roundSite } from './cloud/round-site.ts';

/** Between the visits of the others, which leaves the machine time for the deploys. */
const PAUSE_MS = 40;

/** The edges of the local CloudFront. */
const EDGES = ['0', '1', '2', '3', '4'];

/**
 * Deploys one project `rounds` times. After the response of each deploy, the first load of the page at every edge must see
 * its version only, while other visitors ask every edge for the same files all the time.
 * @returns how many visits there were during the deploys
 */
export async function everyEdgeSeesEachDeploy(baseUrl: string, rounds: number): Promise<number> {
  const caller = newCaller(baseUrl);
  const projectId = `visibility-${Math.random()}`;
  const deploy = (round: number) => caller.post('/api/v1/deploy', { projectId, files: roundSite(round) });
  const { json } = await deploy(0);
  const load = (edge: string) =>
    Promise.all(
      ROUND_FILES.map(async (path) =>
        roundOf(path, await caller.send(`/d/${json.id}/${path}`, { headers: { 'x-local-edge': edge } })),
      ),
    );
  let visits = 0;
  let over = false;
  const others = EDGES.map(async (edge) => {
    while (!over) {
      visits += (await load(edge)).length;
      await setTimeout(PAUSE_MS);
    }
  });
  try {
    for (let round = 1; round <= rounds; round++) {
      const { status } = await deploy(round);
      if (status !== 200) throw new Error(`The deploy of round ${round} failed with ${status}`);
      const seen = await Promise.all(EDGES.map(load));
      if (seen.flat().some((one) => one !== round))
        throw new Error(`After round ${round} the edges served ${JSON.stringify(seen)}`);
    }
  } finally {
    over = true;
    await Promise.all(others);
  }
  return visits;
}
