import { EdgeCopies } from '../../../lambda/deployments/copies/edge-copies.ts';
import { hashPassword, pageUrl, unlock } from '../../../lambda/deployments/unlock.ts';
import { CLOCKS_APART_MS } from '../../../lambda/platform/clock.ts';
import type { Deployment } from '../../../lambda/stored/deployment.ts';
import { type Access, accessUntil } from '../../../lambda/stored/page-access.ts';

const NOW = 1_000_000;
const LINK: Access = { type: 'link', key: 'key' };
const ALLOWED = { allowed: true, total: 0, resetAt: 0 };

describe('a page that becomes private', () => {
  const changed = (before: Partial<Deployment>, isTaken = true) =>
    new EdgeCopies({
      edgeSeconds: 30,
      clock: () => NOW,
      invalidations: { take: async () => isTaken },
      pointers: { noteWithdrawal: async () => {} },
      withdraw: async () => {},
    }).planWithdrawal({ id: 'site', ...before } as Deployment, { access: LINK });

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

it('checks no passwords of an address beyond its limit, including right ones', async () => {
  const counted: string[] = [];
  const page = { id: 'site', access: { ...LINK, hash: await hashPassword('right') } } as Deployment;
  const opened = (address: string) =>
    unlock(
      page,
      'right',
      address,
      {
        wrongPasswords: {
          note: () => ALLOWED,
          count: async () => ALLOWED,
        },
        checkedPasswords: {
          count: async (caller) => {
            counted.push(caller);
            return { ...ALLOWED, allowed: caller !== 'passwords/busy' };
          },
        },
      },
      () => NOW,
    );
  expect(await opened('calm')).toEqual({ 'ptp-entry': expect.any(String) });
  expect(await opened('busy')).toEqual({ 'ptp-closed': 'wait' });
  expect(counted).toEqual(['passwords/calm', 'passwords/busy']);
});

it('opens a page to a right password, whichever function has a clock that is five minutes ahead', async () => {
  const access: Access = { ...LINK, hash: await hashPassword('right') };
  const { 'ptp-entry': entry } = await unlock(
    { access } as Deployment,
    'right',
    'a',
    {
      wrongPasswords: { note: () => ALLOWED, count: async () => ALLOWED },
      checkedPasswords: { count: async () => ALLOWED },
    },
    () => NOW,
  );
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
