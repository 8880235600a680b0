import { OriginSecrets, originSecretDigest } from '../../../lambda/access/origin-secrets.ts';
import type { StageItem } from '../../../lambda/access/stage-state.ts';
import { testRows } from '../../support/rows.ts';

const [deployed, next, latest] = ['deployed', 'next', 'latest'].map(originSecretDigest) as [
  string,
  string,
  string,
];

/** Returns which of the secrets count, for a function that was deployed with the first one. */
async function accepted(state: StageItem): Promise<string[]> {
  const secrets = new OriginSecrets('deployed', { current: async () => state });
  const sent = ['deployed', 'next', 'latest', 'guess', ''];
  const results = await Promise.all(
    sent.map((secret) => secrets.areSentWith({ headers: { 'x-ptp-origin-secret': secret } })),
  );
  return sent.filter((_, at) => results[at]);
}

testRows([
  ['before any rotation', {}, ['deployed']],
  ['while both values are sent', { originSecrets: [deployed, next] }, ['deployed', 'next']],
  ['after a rotation', { originSecrets: [next], retiredOriginSecrets: [deployed] }, ['next']],
  ['after two rotations', { originSecrets: [latest], retiredOriginSecrets: [deployed, next] }, ['latest']],
  // The distribution sends the new value, which the state has never seen.
  [
    'after a deployment that replaced the secret',
    { originSecrets: [next], retiredOriginSecrets: [latest] },
    ['deployed', 'next'],
  ],
])('accepts the secrets that the distribution may send', async (_, state, expected) => {
  expect(await accepted(state)).toEqual(expected);
});

it('does not read the state for a request without a secret', async () => {
  const current = () => Promise.reject(new Error('not to be read'));
  expect(await new OriginSecrets('deployed', { current }).areSentWith({ headers: {} })).toBe(false);
});

it('keeps to the last state while it cannot be read', async () => {
  let state = async (): Promise<StageItem> => ({ originSecrets: [next], retiredOriginSecrets: [deployed] });
  const secrets = new OriginSecrets('deployed', { current: () => state() });
  const sent = (secret: string) => secrets.areSentWith({ headers: { 'x-ptp-origin-secret': secret } });
  await sent('next');
  state = () => Promise.reject(new Error('no table'));
  expect(await Promise.all(['deployed', 'next', 'guess'].map(sent))).toEqual([false, true, false]);
});

it('does not decide before it has read the state', async () => {
  const current = () => Promise.reject(new Error('no table'));
  const headers = { 'x-ptp-origin-secret': 'deployed' };
  await expect(new OriginSecrets('deployed', { current }).areSentWith({ headers })).rejects.toThrow(
    'no table',
  );
});
