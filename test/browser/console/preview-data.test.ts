import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { openPreview, type PreviewedFiles } from './previewed.ts';

const cloud = await sharedOrigin();

const GUESTBOOK: PreviewedFiles = {
  'dist/_data.json': JSON.stringify({
    messages: {
      create: 'visitor',
      read: 'visitor',
      delete: 'author',
      most: 3,
      schema: {
        type: 'object',
        required: ['text', 'seats'],
        properties: { text: { type: 'string', minLength: 1 }, seats: { type: 'integer' } },
      },
    },
  }),
  'dist/index.html': `<!doctype html><html lang="en"><title>Guestbook</title><link rel="icon" href="data:,">
<form action="./.data/messages" method="post"><input name="text"><input name="seats" value="2"><input type="hidden" name="_next" value="all/list.html"><button>Send</button></form>
<script type="module">
import { collection, me } from './.data/client.js';
const messages = collection('messages');
const first = await messages.create({ text: 'One', seats: 1 });
const refused = await messages.create({ text: 'One', seats: 'one' }).catch(({ status, field }) => [status, field]);
globalThis.result = [first.mine, first.seats, refused, await messages.list(), (await me()).collections];
</script>`,
  'dist/all/list.html': `<!doctype html><title>List</title><ul></ul><form action="../.data/messages" method="post"><input name="text"><button>More</button></form>
<script type="module">
import { collection } from '../.data/client.js';
collection('messages').watch((items) => { document.querySelector('ul').textContent = items.map(({ text, seats }) => text + seats).join(); });
</script>`,
};

it('has the data of a project in memory, for scripts and forms, on all of its pages', async () => {
  const { page, faults, frame, problems } = await openPreview(browser, cloud.baseUrl, GUESTBOOK);
  const titled = async (title: string) => {
    for (;;) {
      const shown = await frame();
      if ((await shown.title().catch(() => '')) === title) return shown;
      await page.waitForTimeout(20);
    }
  };
  let shown = await titled('Guestbook');
  await shown.waitForFunction('globalThis.result');
  expect(await shown.evaluate('result')).toMatchObject([
    true,
    1,
    [400, 'seats'],
    { items: [{ text: 'One' }], next: null },
    { messages: ['create', 'read', 'delete'] },
  ]);
  await shown.fill('[name=text]', 'Two');
  await shown.click('button');
  shown = await titled('List');
  await shown.waitForFunction(`document.querySelector('ul').textContent === 'Two2,One1'`);
  await shown.fill('[name=text]', 'Three');
  await shown.click('button');
  // A page of the service, which says that a number is missing.
  await shown.waitForSelector('[role=alert]');
  expect(await shown.innerText('main')).toContain('seats');
  await shown.click('#back');
  shown = await titled('List');
  expect(await problems()).toEqual([]);
  expect(faults).toEqual([]);
  await page.context().close();
});
