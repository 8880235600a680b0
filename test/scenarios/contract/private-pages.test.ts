import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { cookieOf, expectClosed, NAVIGATE, pathOf, SITE_DOMAIN, visitorOf } from '../../support/private-pages.ts';
import { testRows } from '../../support/rows.ts';

const PASSWORD = 'correct horse battery';

const HASHED = 'assets/index-BkC3x9aZ.js';

const FILES = { 'index.html': 'the secret page', 'docs/index.html': 'docs', [HASHED]: 'the secret script' };

const deployed = async (settings: object = {}) => {
  const files = Object.entries(FILES).map(([path, content]) => ({ path, content }));
  const { json, headers, status } = await newCaller().post('/api/v1/deploy', {
    files,
    ...settings,
  });
  const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
  const path = `/api/v1/deployments/${json.id}`;
  const change = (body: object) => newCaller().send(path, { method: 'PATCH', body, headers: token });
  return { ...json, status, headers, token, path, change, visit: visitorOf(json.id, cloud().baseUrl) };
};

const unlock = (id: string, body: Record<string, string>, caller = newCaller()) =>
  caller.send(`/api/v1/deployments/${id}/unlock`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(body).toString(),
  });
describe('a page with a link', () => {
  it('opens for who has the link, and keeps a cookie for this page alone', async () => {
    const page = await deployed({ access: 'link', linkExpiresInSeconds: 3_600 });
    expect(page).toMatchObject({ status: 201, access: 'link' });
    expect(page.link.expiresAt).toBeGreaterThan(Date.now() + 3_500_000);
    expectClosed(await page.visit('/', { headers: NAVIGATE }));
    expectClosed(await page.visit(`/${HASHED}`));

    const entered = await page.visit(pathOf(page.link.url), { headers: NAVIGATE });
    expect(entered).toMatchObject({
      status: 303,
      headers: { location: '/', 'cache-control': 'private, no-store, stale-if-error=0' },
    });
    const [cookie] = entered.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^ptp-access=\d+\.[\w-]{43}; Path=\/; Max-Age=3\d{3}; HttpOnly; SameSite=Lax$/);
    for (const path of ['/', `/${HASHED}`, '/docs/']) {
      const shown = await page.visit(path, { headers: cookieOf(entered) });
      expect(shown).toMatchObject({
        status: 200,
        headers: {
          'cache-control': 'private, no-store, stale-if-error=0',
          'x-cache': 'Miss from cloudfront',
          'x-robots-tag': 'noindex',
        },
      });
      expect(shown.headers).not.toHaveProperty('access-control-allow-origin');
    }
    const other = await deployed({ access: 'link' });
    expectClosed(await other.visit('/', { headers: cookieOf(entered) }));
    expectClosed(await other.visit(`/?${pathOf(page.link.url).split('?')[1]}`));
  });

  testRows([
    ['', 'no signature'],
    ['?ptp-link=', 'an empty one'],
    ['?ptp-link=99999999999.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'a forged one'],
    ['?ptp-link=1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'a past one'],
  ])('stays closed with %s', async (query) => {
    const { visit, link } = await deployed({ access: 'link' });
    expectClosed(await visit(`/${query}`));
    // A signature for one purpose is worthless for another one.
    expectClosed(await visit(pathOf(link.url).replace('ptp-link', 'ptp-entry')));
    expectClosed(await visit('/', { headers: { cookie: pathOf(link.url).replace('/?ptp-link', 'ptp-access') } }));
  });
});

describe('a page with a password', () => {
  it('asks for it with a form that needs no script, in the language of the visitor', async () => {
    const { id, visit } = await deployed({ access: 'password', password: PASSWORD });
    const form = await visit('/docs/?a="<b>', {
      headers: { ...NAVIGATE, 'accept-language': 'fr-CA, en;q=0.5' },
    });
    expectClosed(form);
    expect(form.text).toContain(`action="${cloud().baseUrl}/api/v1/deployments/${id}/unlock"`);
    expect(form.text).toContain('<html lang="fr">');
    expect(form.text).toContain('Mot de passe');
    expect(form.text).not.toMatch(/<script|<b>/);
    expect((await visit('/', { headers: NAVIGATE })).text).toContain('lang="en"');
  });

  it('opens with the right one only', async () => {
    const page = await deployed({ access: 'password', password: PASSWORD });
    const wrong = await unlock(page.id, { password: 'wrong password', to: '/docs/' });
    expect(wrong).toMatchObject({
      status: 303,
      headers: { location: expect.stringMatching(/\/docs\/\?ptp-closed=wrong$/) },
    });
    const again = await page.visit(pathOf(wrong.headers.location), { headers: NAVIGATE });
    expectClosed(again);
    expect(again.text).toContain('role="alert"');

    const right = await unlock(page.id, { password: PASSWORD, to: '/docs/?a=1' });
    expect(right.headers.location).toMatch(`http://${page.id}.${SITE_DOMAIN}`);
    const entered = await page.visit(pathOf(right.headers.location), { headers: NAVIGATE });
    expect(entered).toMatchObject({ status: 303, headers: { location: '/docs/?a=1' } });
    expect(await page.visit('/docs/', { headers: cookieOf(entered) })).toMatchObject({
      status: 200,
      text: 'docs',
    });

    await page.change({ access: 'password', password: 'another password' });
    expectClosed(await page.visit('/docs/', { headers: cookieOf(entered) }));
    expect((await unlock(page.id, { password: PASSWORD })).headers.location).toContain('ptp-closed=wrong');
  });

  it('limits wrong ones per address and page', async () => {
    const [one, other] = [
      await deployed({ access: 'password', password: PASSWORD }),
      await deployed({ access: 'password', password: PASSWORD }),
    ];
    let guesser = newCaller();
    const guess = async (id: string, password: string) =>
      /ptp-(?:closed=(\w+)|entry)/.exec(String((await unlock(id, { password }, guesser)).headers.location))?.[1] ??
      'open';
    // Within one window: windows of five minutes are aligned with the clock.
    const window = () => Math.floor(Date.now() / 300_000);
    let outcomes: string[];
    let begun: number;
    do {
      begun = window();
      guesser = newCaller();
      outcomes = [];
      for (let i = 0; i < 12; i++) outcomes.push(await guess(one.id, `wrong-${i}`));
    } while (begun !== window());
    expect(outcomes).toEqual([...Array(10).fill('wrong'), 'wait', 'wait']);
    expect(await guess(other.id, PASSWORD)).toBe('open');
    expect((await unlock(one.id, { password: PASSWORD })).headers.location).toContain('ptp-entry');
  });

  it('answers an invalid form with a page', async () => {
    const { id } = await deployed({ access: 'password', password: PASSWORD });
    const { status, headers, text } = await unlock(id, {});
    expect([status, headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(text).toContain('password is required');
  });
});

it('keeps its access when its files change, and lets nobody without the token change it', async () => {
  const projectId = `private-${Math.random()}`;
  const page = await deployed({ projectId, access: 'link' });
  const redeployed = await deployed({ projectId });
  expect(redeployed).toMatchObject({ id: page.id, status: 200 });
  expect(redeployed).not.toHaveProperty('access');
  expectClosed(await page.visit('/'));
  const refused = await deployed({ projectId, access: 'public' });
  expect([refused.status, refused.error]).toEqual([401, expect.stringContaining('X-Deployment-Token')]);
  expectClosed(await page.visit('/'));
});

it('has a zip for its owner, named by the page', async () => {
  const { id, path, token } = await deployed({ access: 'link' });
  const { headers } = await newCaller().send(`${path}/archive`, { headers: token });
  const zip = await fetch(String(headers.location));
  expect(zip.headers.get('content-disposition')).toBe(`attachment; filename="${id}.zip"`);
  expect(Buffer.from(await zip.arrayBuffer()).toString()).toContain('the secret page');
});
