import { placedLine } from '../../../lambda/contract/messages.ts';
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
  (await lookAtProject({ name: 'guestbook', files })).problems.map(placedLine);

it('answers requests for data as the service does, first without entries and then with some', async () => {
  const text = 'li.textContent = item.name + ": " + item.text; messages.get(item.name).catch(() => {});';
  const lines = await linesOf({ 'index.html': guestbook(text), '_data.json': DECLARATION });
  // On a busy machine, the answer arrives some seconds after the press.
  expect(lines.map((line) => /Console: \w+ 4/.exec(line)?.[0] ?? line).sort()).toEqual([
    'Console: Created 4',
    'Console: Sees 4',
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

const REGISTRATION = JSON.stringify({
  places: {
    create: 'visitor',
    schema: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 200 } } },
  },
});

/** The list of participants, which only the owner sees. @param condition what the page asks before it reads them */
const participants = (condition: string, show: string) =>
  page(
    'Participants',
    `<main><h1>Participants</h1><p>For the organizer.</p><ul style="overflow-wrap:anywhere"></ul></main>
<script type="module">
import { collection, me } from './.data/client.js';
const list = document.querySelector('ul');
if (${condition}) {
  const { items } = await collection('places').list().catch(() => ({ items: [] }));
  for (const { name } of items) list.append(document.createElement('li'));
  items.forEach(({ name }, at) => { list.children[at].${show} = name; });
}
</script>`,
  );

it.each([
  ['index.html', '(await me()).owner'],
  ['index.html', 'true'],
  ['list.html', '(await me()).owner'],
])('finds that %s runs what visitors write for the owner alone, who is asked for by %s', async (path, asked) => {
  const linesFor = (show: string) =>
    linesOf({
      'index.html': page('Run', '<main><h1>Run</h1><p>Register by telephone.</p></main>'),
      [path]: participants(asked, show),
      '_data.json': REGISTRATION,
    });
  const runs = /^\S+html:\d+: The page inserts what visitors write as HTML, .*, as the owner of the site$/;
  expect(await linesFor('innerHTML')).toContainEqual(expect.stringMatching(runs));
  expect(await linesFor('textContent')).toEqual([]);
});

it('uses a page with a part for its owner as its visitors do', async () => {
  const body = `<main><h1>Run</h1><form hidden><label>Name <input name="name"></label> <button>Register</button></form>
<ul style="overflow-wrap:anywhere"></ul><button id="more">More</button></main>
<script type="module">
import { collection, me } from './.data/client.js';
const places = collection('places');
const { owner } = await me();
if (owner) places.watch((items) => document.querySelector('ul').replaceChildren(...items.map(() => document.createElement('li'))));
else document.querySelector('form').hidden = false;
document.getElementById('more').onclick = () => {};
document.querySelector('form').onsubmit = async (event) => {
  event.preventDefault();
  await places.create(new FormData(event.target));
  console.error('Registered');
};
</script>`;
  const lines = await linesOf({ 'index.html': page('Run', body), '_data.json': REGISTRATION });
  expect(lines).toEqual([expect.stringContaining('Console: Registered')]);
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
