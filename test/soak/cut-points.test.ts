import { cutOf, defectsOf } from '../support/cut-points.ts';
import { type Stores, startStores } from '../support/generation.ts';

const CUTS = 100;
const AT_ONCE = 10;

let stores: Stores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.close());

/** A linear congruential generator, so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

it('nothing is lost, doubled or mixed, wherever the answers break off', async () => {
  const random = randomFrom(Number(process.env.SEED ?? 21));
  const cuts = Array.from({ length: CUTS }, (_, number) => cutOf(number, random));
  const wrong: unknown[] = [];
  const next = async (): Promise<void> => {
    for (let cut = cuts.shift(); cut; cut = cuts.shift()) {
      const defects = await defectsOf(stores, cut);
      if (defects.length > 0) wrong.push({ ...cut, defects });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  expect(wrong).toEqual([]);
}, 600_000);
