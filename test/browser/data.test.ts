import type { Page } from 'playwright-core';
import { newCaller } from '../support/cloud/client.ts';
import { visitorOf } from '../support/private-pages.ts';
import { type RecordedAnswer, recorded } from '../support/vendors/model.ts';
import { browser } from './browser.ts';
import { answerWith, looking } from './clouds.ts';
import { watchedPage } from './open-project.ts';

const cloud = await looking();
const FROM_PAGE = { 'sec-fetch-site': 'same-origin' };

/** Has a project generated, looked at and deployed. @param answer of the model; without one, it is a starter */
async function publish(prompt: string, answer?: RecordedAnswer) {
  if (answer) answerWith([{ text: recorded(answer) }, { finish: 'complete' }]);
  const model = answer ? 'provider-d' : 'provider-a';
  const { send, post } = newCaller(cloud.baseUrl);
  const generated = await post('/api/v1/generate', { prompt, model, deploy: true });
  const { status, problems, deployment, look } = (
    await send(`/api/v1/generations/${generated.headers['x-generation-id']}`)
  ).json;
  expect({ status, problems, look }).toMatchObject({ status: 'succeeded', look: { state: 'looked' } });
  expect(problems).toBeUndefined();
  const token = { 'x-deployment-token': String(generated.headers['x-deployment-token']) };
  const path = `/api/v1/deployments/${deployment.id}/data`;
  return {
    id: deployment.id as string,
    origin: `http://${deployment.id}.sites.localhost:${new URL(cloud.baseUrl).port}/`,
    /** Calls an operation on the data as the owner. */
    own: (method: string, rest: string, headers: object = {}) =>
      send(path + rest, { method, headers: { ...token, ...headers } }),
  };
}

/** Opens a page in a browser of its own. */
async function visit(url: string) {
  const { page, faults } = await watchedPage(browser, new URL('/', url).href, { locale: 'en-US' });
  await page.goto(url);
  return { page, faults, close: () => page.context().close() };
}

const entryOf = (page: Page, text: string) => page.locator('main li', { hasText: text });
const removalOf = (page: Page, text: string) => entryOf(page, text).getByRole('button', { name: /^(Delete|Remove)/ });

/** Removes an entry, and says yes if the page asks. */
async function remove(page: Page, text: string): Promise<void> {
  await removalOf(page, text).click();
  const dialog = page.getByRole('dialog');
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: /^Remove/ }).click();
}

test.each([
  [undefined, 'Your message', 'Sign the guestbook'],
  ['wedding-guestbook', 'Your wish for us', 'Plant my wish'],
] as const)('guests read what others write, in the guestbook of %s', async (answer, label, button) => {
  const { origin, own } = await publish(
    'A guestbook for our wedding where guests leave wishes and everyone sees them',
    answer,
  );
  const [ana, ben] = [await visit(origin), await visit(origin)];
  const write = async ({ page }: typeof ana, name: string, text: string) => {
    await page.getByLabel('Your name').fill(name);
    await page.getByRole('textbox', { name: label }).fill(text);
    // An impatient guest clicks twice.
    await page.getByRole('button', { name: button }).click({ clickCount: answer ? 1 : 2 });
  };
  await write(ana, 'Ana', '<b onclick=alert(1)>Be</b> happy');
  await write(ben, 'Ben', 'All the best');
  for (const { page } of [ana, ben])
    for (const text of ['<b onclick=alert(1)>Be</b> happy', 'All the best']) await entryOf(page, text).waitFor();
  // Each may delete what is theirs.
  expect(await removalOf(ana.page, 'happy').count()).toBe(1);
  expect(await removalOf(ana.page, 'All the best').count()).toBe(0);
  await remove(ana.page, 'happy');
  await entryOf(ben.page, 'happy').waitFor({ state: 'detached' });
  // The owner may delete all of it, in the page as well.
  const { url } = (await own('POST', '/link')).json;
  const owner = await visit(url);
  await remove(owner.page, 'All the best');
  await entryOf(ben.page, 'All the best').waitFor({ state: 'detached' });
  for (const { faults, close } of [ana, ben, owner]) {
    expect(faults).toEqual([]);
    await close();
  }
});

test.each([
  [undefined, 'registrations', 'e-mail', 'All places are taken.', '#problems'],
  ['party-registration', 'signups', 'email', 'The last place was taken just before you.', '#form-error'],
] as const)(
  'the 31st guest is refused, and only the owner has the list, in the registration of %s',
  async (answer, collection, field, refusal, place) => {
    const { id, origin, own } = await publish(
      'Registration for our summer party, 30 places, name and e-mail, and I need the list',
      answer,
    );
    const send = visitorOf(id, cloud.baseUrl);
    const path = `/.data/${collection}`;
    for (let n = 1; n < 30; n++) {
      const body = { name: `Guest ${n}`, [field]: `guest${n}@example.com` };
      expect((await send(path, { method: 'POST', body, headers: FROM_PAGE })).status).toBe(201);
    }
    const [first, last] = [await visit(origin), await visit(origin)];
    const fill = async ({ page }: typeof first, name: string) => {
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('E-mail').fill(`${name.toLowerCase()}@example.com`);
      const consent = page.getByLabel('I agree');
      if ((await consent.count()) > 0) await consent.check();
    };
    const register = ({ page }: typeof first) => page.getByRole('button', { name: 'Register', exact: true }).click();
    for (const { page } of [first, last])
      await page
        .getByText(/^1 (?:of 30 places|place) left$|^The last of 30 places is still free\.$/)
        .first()
        .waitFor();
    await fill(first, 'Ana');
    await fill(last, 'Ben');
    await register(first);
    await first.page.getByRole('heading', { name: /Thank you|Registered from this browser/ }).waitFor();
    await register(last);
    await last.page.locator(place).getByText(refusal).waitFor();
    if (!answer) await last.page.locator('#places').getByText(refusal).waitFor();
    // A stranger sees no list, and gets none.
    expect(await last.page.getByText('guest1@example.com').count()).toBe(0);
    expect((await send(path, { headers: FROM_PAGE })).text).not.toContain('@example.com');
    // The owner has it in the page and as a table.
    const owner = await visit((await own('POST', '/link')).json.url);
    for (const name of ['guest1', 'guest29', 'ana'])
      await owner.page.getByRole('cell', { name: `${name}@example.com`, exact: true }).waitFor();
    if (!answer) {
      // On a phone, each address is on a line or two, not a letter per line.
      await owner.page.setViewportSize({ width: 390, height: 844 });
      const address = owner.page.getByRole('cell', { name: 'guest1@example.com', exact: true });
      expect((await address.boundingBox())?.width).toBeGreaterThan(100);
    }
    const { text } = await own('GET', `/${collection}`, { accept: 'text/csv' });
    expect(text.trim().split('\n')).toHaveLength(31);
    expect(text).toContain('ana@example.com');
    for (const { close } of [first, last, owner]) await close();
  },
);

test('the owner of a contact form sees no empty table, and how many messages there are beyond those on the page', async () => {
  const { id, own } = await publish('a contact form for my carpentry business');
  const owner = await visit((await own('POST', '/link')).json.url);
  await owner.page.getByText('Nobody has sent anything yet.').waitFor();
  expect(await owner.page.getByRole('table').count()).toBe(0);
  for (let n = 1; n <= 101; n++) {
    const body = { name: `Guest ${n}`, 'e-mail': `guest${n}@example.com`, message: 'Hello' };
    const send = visitorOf(id, cloud.baseUrl);
    expect((await send('/.data/messages', { method: 'POST', body, headers: FROM_PAGE })).status).toBe(201);
  }
  await owner.page.reload();
  await owner.page.getByText('101 entries').waitFor();
  await owner.page.getByRole('button', { name: 'View as a visitor again' }).click();
  await owner.page.getByRole('table').waitFor({ state: 'hidden' });
  expect((await owner.page.context().cookies()).map(({ name }) => name)).not.toContain('ptp-owner');
  await owner.close();
});
