import { client, isOwner, sentenceFor } from './site-data.js';
import { $, make } from './dom.js';
import { PAGE, withNewest, withOlder } from './entries.js';
import { lang, texts } from './texts.js';

const form = $('form');
const date = new Intl.DateTimeFormat(lang, { dateStyle: 'medium' });
let shown = [];
let isOwners = false;
/** Whether an entry is under way: a second click would send it twice. */
let isSending = false;
/** Where the next page of older entries begins; null after the last one. */
let cursor;

/** The text of a visitor is only ever text: nothing of it becomes markup. */
function card(entry, collection) {
  const { name, text, createdAt } = entry;
  const time = make('time', { dateTime: createdAt }, date.format(new Date(createdAt)));
  const footer = make('footer', {}, make('strong', { dir: 'auto' }, name), time);
  if (isOwners || entry.mine) {
    const button = make('button', { type: 'button', ariaLabel: `${texts.deleteEntry}: ${name}` }, texts.deleteEntry);
    button.addEventListener('click', () => remove(entry, collection));
    footer.append(button);
  }
  return make('li', {}, make('p', { dir: 'auto' }, text), footer);
}

function show(entries, collection) {
  shown = entries;
  $('trouble').textContent = '';
  $('empty').hidden = shown.length > 0;
  $('older').hidden = shown.length < PAGE || cursor === null;
  $('entries').replaceChildren(...shown.map((entry) => card(entry, collection)));
}

const fail = (error) => {
  $('trouble').textContent = error.code ? sentenceFor(error) : texts.notLoaded;
};

async function remove({ id }, collection) {
  try {
    await collection.delete(id);
    show(
      shown.filter((entry) => entry.id !== id),
      collection,
    );
  } catch (error) {
    fail(error);
  }
}

async function showOlder(collection) {
  try {
    cursor ??= (await collection.list({ limit: PAGE })).next;
    const { items = [], next = null } = cursor ? await collection.list({ limit: PAGE, cursor }) : {};
    cursor = next;
    show(withOlder(shown, items), collection);
  } catch (error) {
    fail(error);
  }
}

form.addEventListener('submit', async (submitted) => {
  submitted.preventDefault();
  if (isSending) return;
  const { name, text } = Object.fromEntries(new FormData(form));
  $('status').textContent = '';
  isSending = true;
  try {
    const { collection } = await client;
    await collection('entries').create({ name: name.trim(), text: text.trim() });
    form.elements.text.value = '';
    $('status').textContent = texts.thanks;
  } catch (error) {
    $('status').textContent = sentenceFor(error);
  }
  isSending = false;
});

try {
  const { collection } = await client;
  const entries = collection('entries');
  isOwners = await isOwner();
  $('owner').hidden = !isOwners;
  $('older').addEventListener('click', () => showOlder(entries));
  entries.watch((newest) => show(withNewest(newest, shown), entries), { limit: PAGE, onError: fail });
} catch (error) {
  fail(error);
}
