import { lookLine } from '../../../lambda/contract/looks.ts';
import { page } from '../../support/looks/project.ts';
import { lookAtProject } from '../../support/looks/verdicts.ts';

const DECLARATION = JSON.stringify({
  messages: {
    create: 'visitor',
    read: 'visitor',
    delete: 'author',
    schema: {
      type: 'object',
      required: ['name', 'text'],
      properties: { name: { type: 'string', maxLength: 40 }, text: { type: 'string', maxLength: 600 } },
    },
  },
});

/** A guestbook. @param show inserts an item into `li` */
const guestbook = (show: string) =>
  page(
    'Guestbook',
    `<main><h1>Guestbook</h1>
<form><label>Name <input name="name" required></label> <label>Text <input name="text" required></label> <button>Send</button></form>
<p id="count"></p><ul style="overflow-wrap:anywhere"></ul></main>
<script type="module">
import { collection } from './.data/client.js';
const messages = collection('messages');
const list = document.querySelector('ul');
messages.watch((items) => {
  document.getElementById('count').textContent = items.length + ' messages';
  list.replaceChildren(...items.map((item) => {
    const li = document.createElement('li');
    ${show}
    return li;
  }));
  if (items.some(({ text }) => text === 'Test')) console.error('Sees ' + items.length);
});
document.querySelector('form').onsubmit = async (event) => {
  event.preventDefault();
  await messages.create(new FormData(event.target));
  const { items } = await messages.list();
  console.error('Created ' + items.length);
};
</script>`,
  );

const linesOf = async (files: Readonly<Record<string, string>>) =>
  (await lookAtProject({ name: 'guestbook', files })).problems.map(lookLine);

it('answers requests for data as the service does, first without entries and then with some', async () => {
  const text = 'li.textContent = item.name + ": " + item.text;';
  const lines = await linesOf({ 'index.html': guestbook(text), '_data.json': DECLARATION });
  expect(lines.map((line) => line.replace(/^[^ ]* /, '')).sort()).toEqual([
    'Console: Created 4, after a press of "Send"',
    'Console: Sees 4, after a press of "Send"',
  ]);
});

it('finds a page that runs what visitors write', async () => {
  const html = 'li.innerHTML = "<b>" + item.name + "</b> " + item.text;';
  const lines = await linesOf({ 'index.html': guestbook(html), '_data.json': DECLARATION });
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^index\.html:\d+: The page inserts what visitors write as HTML, .* with entries of visitors$/,
    ),
  );
});

it('finds an error that needs an entry', async () => {
  const fails = 'li.textContent = item.author.name;';
  const about = page('About', '<main><h1>About</h1></main>');
  const files = { 'index.html': guestbook(fails), 'about.html': about, '_data.json': DECLARATION };
  const { problems } = await lookAtProject({ name: 'guestbook', files });
  const message = expect.stringMatching(/Cannot read properties of undefined .*, with entries of visitors$/);
  expect(problems).toContainEqual(expect.objectContaining({ kind: 'error', message }));
  expect(problems.filter(({ blocking }) => blocking)).toEqual([]);
});

it('names data that the site does not declare', async () => {
  const text = 'li.textContent = item.text;';
  const lines = await linesOf({ 'index.html': guestbook(text) });
  expect(lines.join('\n')).toContain('.data/client.js does not exist');
});

it('follows a form without a script', async () => {
  const form = `<main><h1>Contact</h1><form action="./.data/messages" method="post"><input type="hidden" name="_next" value="thanks.html">
<label>Name <input name="name"></label><label>Text <input name="text"></label><button>Send</button></form></main>`;
  const files = {
    'index.html': page('Contact', form),
    'thanks.html': page('Thanks', '<main><h1>Thanks</h1></main>'),
    '_data.json': DECLARATION,
  };
  expect(await linesOf(files)).toEqual([]);
});
