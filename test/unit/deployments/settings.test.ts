import { withWithdrawal } from '../../../lambda/deployments/edge-copies.ts';
import { hashPassword } from '../../../lambda/deployments/settings/password.ts';
import { pageUrl, unlock } from '../../../lambda/deployments/settings/unlock.ts';
import type { Deployment } from '../../../lambda/stored/deployment.ts';
import type { Access } from '../../../lambda/stored/page-access.ts';

const NOW = 1_000_000;
const LINK: Access = { type: 'link', key: 'key' };

describe('a page that becomes private', () => {
  const changed = (before: Partial<Deployment>, isTaken = true) =>
    withWithdrawal(
      { id: 'site', ...before } as Deployment,
      { access: LINK },
      { edgeSeconds: 30, clock: () => NOW, invalidations: { take: async () => isTaken } },
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

it('checks no passwords of an address beyond its limit, including right ones', async () => {
  const counted: string[] = [];
  const page = { id: 'site', access: { ...LINK, hash: await hashPassword('right') } } as Deployment;
  const opened = (address: string) =>
    unlock(page, 'right', address, {
      clock: () => NOW,
      wrongPasswords: {
        note: () => ({ allowed: true, total: 0, resetAt: 0 }),
        count: async () => ({ allowed: true, total: 0, resetAt: 0 }),
      },
      checkedPasswords: {
        count: async (caller) => {
          counted.push(caller);
          return { allowed: caller !== 'passwords/busy', total: 0, resetAt: 0 };
        },
      },
    });
  expect(await opened('calm')).toEqual({ 'ptp-entry': expect.any(String) });
  expect(await opened('busy')).toEqual({ 'ptp-closed': 'wait' });
  expect(counted).toEqual(['passwords/calm', 'passwords/busy']);
});

it('leads back to a page of the site, by a valid URL', () => {
  expect(pageUrl('https://a.example/', '/[x]^|?q=[1]', { entry: 'e' })).toBe(
    'https://a.example/%5Bx%5D%5E%7C?q=%5B1%5D&entry=e',
  );
  expect(pageUrl('https://a.example/', '//other.example/x', {})).toBe('https://a.example//other.example/x');
});
