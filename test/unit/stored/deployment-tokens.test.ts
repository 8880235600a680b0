import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import {
  addVersion,
  currentVersion,
  DeploymentTokens,
  hasExpired,
  newestVersion,
  readTokenVersions,
  writeTokenVersions,
} from '../../../lambda/stored/deployment-tokens.ts';
import { deploymentSecrets } from '../../support/deployment-secrets.ts';
import { testRows } from '../../support/rows.ts';

const ID = 'abcdefghijkl';
const DAY = 86_400_000;

/** The token of releases before versions. */
const former = (id: string, secret = 'ids') =>
  `ptd_${createHmac('sha256', secret)
    .update(JSON.stringify(['deployment-token', 1, id]))
    .digest('base64url')}`;

it('are of the current version, which they name', async () => {
  const { tokens } = deploymentSecrets({ 1: 'a' });
  expect(await tokens.issue(ID)).toMatch(/^ptd_1\.[\w-]{43}$/);
  const rotated = deploymentSecrets({ 1: 'a', 2: 'b' }).tokens;
  expect(await rotated.issue(ID)).toMatch(/^ptd_2\.[\w-]{43}$/);
});

it('can be prepared, so that the first one does not wait, and a failure is that of the first one', async () => {
  const stored = [Promise.reject(new Error('unreachable')), Promise.resolve(readTokenVersions('{"1":"a"}'))];
  const tokens = new DeploymentTokens({
    ids: async () => 'ids',
    versions: () => stored.shift() ?? Promise.reject(new Error('read again')),
    clock: Date.now,
  });
  tokens.prepare();
  expect(await tokens.issue(ID)).toMatch(/^ptd_1/);
  expect(stored).toEqual([]);
});

it('of earlier releases are version 0', async () => {
  const versions = { 1: 'a', validUntil: { 0: 2 * DAY } };
  await deploymentSecrets({ 1: 'a' }).tokens.require(ID, former(ID));
  await deploymentSecrets(versions, () => DAY).tokens.require(ID, former(ID));
  const later = deploymentSecrets(versions, () => 2 * DAY).tokens;
  await expect(later.require(ID, former(ID))).rejects.toMatchObject({
    status: 403,
    message: expect.stringMatching(/has expired.*version 0: send the one of a later response/),
  });
});

it('of a version that is not current yet are valid, because another instance may know of it', async () => {
  const versions = { 1: 'a', 2: 'b', useFrom: { 2: DAY } };
  const next = await deploymentSecrets(versions, () => DAY).tokens.issue(ID);
  const before = deploymentSecrets(versions, () => DAY - 1).tokens;
  expect(await before.issue(ID)).toMatch(/^ptd_1\./);
  await before.require(ID, next);
});

testRows([
  ['of another deployment', former('other')],
  ['of another secret', former(ID, 'other')],
  ['of a version that does not exist', `ptd_7.${former(ID).slice(4)}`],
  ['of version 0 with its number', `ptd_0.${former(ID).slice(4)}`],
  ['cut off', former(ID).slice(0, -1)],
  ['of an object that every object has', 'ptd_constructor'],
  ['nothing', ''],
])('are refused: %s', async (_, token) => {
  await expect(deploymentSecrets().tokens.require(ID, token)).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('does not belong to this deployment'),
  });
});

describe('a rotation', () => {
  const first = readTokenVersions('{"1":"a"}');

  it('keeps the tokens of older versions valid until their time, even after later rotations', async () => {
    const second = addVersion(first, 'b', { now: 0, from: 1, until: 10 * DAY });
    const third = addVersion(second, 'c', { now: DAY, from: DAY + 1, until: 30 * DAY });
    expect(third.validUntil).toEqual({ 0: 10 * DAY, 1: 10 * DAY, 2: 30 * DAY });
    expect(Object.keys(third.secrets)).toEqual(['1', '2', '3']);
  });

  it('may end the grace period of an earlier one', () => {
    const second = addVersion(first, 'b', { now: 0, from: 1, until: 10 * DAY });
    expect(addVersion(second, 'c', { now: DAY, from: DAY, until: 2 * DAY }).validUntil).toEqual({
      0: 2 * DAY,
      1: 2 * DAY,
      2: 2 * DAY,
    });
  });

  it('removes the secrets of versions that have expired, whose tokens stay expired', () => {
    const second = addVersion(first, 'b', { now: 0, from: 1, until: DAY });
    const third = addVersion(second, 'c', { now: DAY, from: DAY + 1, until: 3 * DAY });
    expect(Object.keys(third.secrets)).toEqual(['2', '3']);
    expect([0, 1, 2, 3].map((version) => hasExpired(third, version, DAY))).toEqual([true, true, false, false]);
  });

  it('leaves exactly one current version, which is valid, at any time', () => {
    const rotations = fc.array(fc.record({ after: fc.nat(DAY), grace: fc.nat(2 * DAY) }), { maxLength: 8 });
    fc.assert(
      fc.property(rotations, fc.nat(5 * DAY), (all, later) => {
        let [versions, now] = [first, 0];
        for (const { after, grace } of all) {
          now += after;
          const from = now + 1_000;
          versions = addVersion(versions, `s${now}`, { now, from, until: from + grace });
          expect(hasExpired(versions, currentVersion(versions, now), now)).toBe(false);
          now = from;
        }
        const current = currentVersion(versions, now + later);
        expect(current).toBe(newestVersion(versions));
        expect(hasExpired(versions, current, now + later)).toBe(false);
        expect(readTokenVersions(writeTokenVersions(versions))).toEqual(versions);
      }),
    );
  });
});

testRows([[''], ['[]'], ['{}'], ['"secret"'], ['{"1":2}'], ['{"a":"b"}'], ['not JSON: hunter2']])(
  'a secret that is not a JSON object of versions is an error that does not repeat it',
  (text) => {
    expect(() => readTokenVersions(text)).toThrow(
      /^The secret of tokens is not a JSON object of versions and their secrets$/,
    );
  },
);
