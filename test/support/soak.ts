/** Whether the soak tests run. They repeat the tests whose files `jest.soak.config.js` lists, with more cases. */
export const SOAK = process.env.SOAK === 'true';

/** Returns how many random cases of a property are tried: `count` by the soak tests, a tenth of it otherwise. */
export const runs = (count: number): number => (SOAK ? count : Math.ceil(count / 10));
