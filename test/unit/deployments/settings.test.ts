import { EdgeCopies, type EdgeCopiesOptions } from '../../../lambda/deployments/copies/edge-copies.ts';
import { hashPassword, pageUrl, unlock } from '../../../lambda/deployments/unlock.ts';
import { CLOCKS_APART_MS } from '../../../lambda/platform/clock.ts';
import type { Deployment } from '../../../lambda/stored/deployment.ts';
import { type Access, accessUntil } from '../../../lambda/stored/page-access.ts';
import type { SettingsChange } from '../../../lambda/stored/pointer-update.ts';
import { testRows } from '../../support/rows.ts';

const NOW = 1_000_000;
const LINK: Access = { type: 'link', key: 'key' };
const hashed = hashPassword('right');

const edgeCopies = (take: EdgeCopiesOptions['invalidations']['take']) =>
  new EdgeCopies({
    edgeSeconds: 30,
    clock: () => NOW,
    invalidations: { take },
    pointers: { noteWithdrawal: async () => {} },
    withdraw: async () => {},
  });

describe('a page that becomes private', () => {
  const changed = (before: Partial<Deployment>, isTaken = true) =>
    edgeCopies(async () => isTaken).planWithdrawal(
      { id: 'site', ...before } as Deployment,
      { access: LINK },
      undefined,
    );

  it.each<[string, Partial<Deployment>, object]>([
    ['public', {}, { staysPrivate: false, withdrawnAt: NOW }],
    ['deleted while it was public', { deletedAt: 1 }, { staysPrivate: false, withdrawnAt: NOW }],
    // Without the condition, a change to public in between would leave copies at the edge.
    ['private', { access: LINK }, { staysPrivate: true }],
    ['deleted while it was private', { access: LINK, deletedAt: 1 }, { staysPrivate: true }],
    ['expired', { deletedAt: 1, expired: true }, {}],
  ])('and was %s', async (_, before, expected) => {
    expect(await changed(before)).toEqual({ access: LINK, ...expected });
  });

  it('stays public without removals left in the month', async () => {
    await expect(changed({}, false)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

testRows<[string, Partial<Deployment>, SettingsChange, object | undefined]>([
  ['a shorter life', {}, { life: { endsAt: NOW + 1 } }, { isUrgent: false }],
  [
    'a shorter life while copies go',
    { withdrawal: { at: 1, until: NOW + 1 } },
    { life: { endsAt: NOW + 1 } },
    undefined,
  ],
  [
    'a shorter life after copies went',
    { withdrawal: { at: 1, until: NOW } },
    { life: { endsAt: NOW + 1 } },
    { isUrgent: false },
  ],
  ['a private page', {}, { access: LINK }, { isUrgent: true }],
  ['a private page while copies go', { withdrawal: { at: 1, until: NOW + 1 } }, { access: LINK }, { isUrgent: true }],
])(
  'takes invalidations for copies that a change ends, once at a time for shorter lives',
  async (_, before, change, expected) => {
    const take = jest.fn(async () => true);
    const deployment = { id: 'site', owner: 'anonymous', ...before } as Deployment;
    await edgeCopies(take).planWithdrawal(deployment, change, undefined);
    const needed = expected && [[NOW, { owner: 'anonymous', count: 1, ...expected }]];
    expect(take.mock.calls).toEqual(needed ?? []);
  },
);

/** Counters of passwords in memory, with a limit each. */
function counters(limits: { readonly wrong?: number; readonly ofPage?: number; readonly checked?: number }) {
  const counter = (limit = Number.POSITIVE_INFINITY) => {
    const counted = new Map<string, number>();
    const note = (name: string) => {
      const total = counted.get(name) ?? 0;
      return { total, allowed: total <= limit, resetAt: 0 };
    };
    const count = async (name: string) => {
      counted.set(name, (counted.get(name) ?? 0) + 1);
      return note(name);
    };
    return { note, count };
  };
  return {
    wrongPasswords: counter(limits.wrong),
    wrongPasswordsOfPage: counter(limits.ofPage),
    checkedPasswords: counter(limits.checked),
  };
}

const unlocking = async (limits: Parameters<typeof counters>[0]) => {
  const page = { id: 'site', access: { ...LINK, hash: await hashed } } as Deployment;
  const shared = counters(limits);
  return (address: string, password = 'right') => unlock(page, password, address, shared, () => NOW);
};
const OPEN = { 'ptp-entry': expect.any(String) };
const WAIT = { 'ptp-closed': 'wait' };
const WRONG = { 'ptp-closed': 'wrong' };

it('checks no passwords of an address beyond its limit, including right ones', async () => {
  const open = await unlocking({ checked: 1 });
  expect([await open('busy'), await open('busy'), await open('calm')]).toEqual([OPEN, WAIT, OPEN]);
});

it('lets an address guess once while many guess the password of a page, and visitors who know it in', async () => {
  const open = await unlocking({ ofPage: 2 });
  const first = await Promise.all([open('a', 'x'), open('b', 'x'), open('c', 'x')]);
  expect(first).toContainEqual(WRONG);
  expect([await open('a', 'y'), await open('d', 'y'), await open('d')]).toEqual([WAIT, WAIT, WAIT]);
  expect([await open('visitor'), await open('visitor')]).toEqual([OPEN, OPEN]);
});

it('opens a page to a right password, whichever function has a clock that is five minutes ahead', async () => {
  const access: Access = { ...LINK, hash: await hashed };
  const page = { access } as Deployment;
  const { 'ptp-entry': entry } = await unlock(page, 'right', 'a', counters({}), () => NOW);
  for (const ms of [-CLOCKS_APART_MS, CLOCKS_APART_MS])
    expect(accessUntil(access.key, 'entry', entry, NOW + ms)).toBeDefined();
  expect(accessUntil(access.key, 'entry', entry, NOW + 2 * CLOCKS_APART_MS)).toBeUndefined();
});

it('leads back to a page of the site, by a valid URL', () => {
  expect(pageUrl('https://a.example/', '/[x]^|?q=[1]', { entry: 'e' })).toBe(
    'https://a.example/%5Bx%5D%5E%7C?q=%5B1%5D&entry=e',
  );
  expect(pageUrl('https://a.example/', '//other.example/x', {})).toBe('https://a.example//other.example/x');
});
