/** Whether `npm run test:all` runs, which repeats the unit tests that `jest.all.config.js` lists with more cases. */
export const SOAK = process.env.SOAK === 'true';

/** Returns how many random cases of a property are tried: `count` by `npm run test:all`, a tenth of it otherwise. */
export const runs = (count: number): number => (SOAK ? count : Math.ceil(count / 10));
