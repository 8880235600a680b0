import { client, isOwner, sentenceFor } from './site-data.js';
import { $, make } from './dom.js';
import { format, lang, texts } from './texts.js';

const MOST = 100;
const date = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });

/** A value as a person reads it. */
const shown = (value) => (typeof value === 'boolean' ? (value ? '✓' : '–') : String(value ?? ''));

function row(item, columns, remove) {
  const cells = columns.map(([name]) => make('td', { dir: 'auto' }, shown(item[name])));
  const label = `${texts.deleteEntry}: ${shown(item[columns[0][0]])}`;
  const button = make('button', { type: 'button', className: 'remove', ariaLabel: label, title: label }, '×');
  button.addEventListener('click', () => remove(item.id));
  return make('tr', {}, make('td', {}, date.format(new Date(item.createdAt))), ...cells, make('td', {}, button));
}

/**
 * Shows the owner what visitors have sent; nobody else sees that part of the page.
 * @param entries a promise of the collection
 * @param columns the name and the title of each field
 */
export async function showToOwner(entries, columns) {
  if (!(await isOwner())) return;
  const collection = await entries;
  const fail = (error) => {
    $('owner-note').textContent = sentenceFor(error);
  };
  const remove = (id) => collection.delete(id).catch(fail);
  $('owner').hidden = false;
  const leave = async () => (await client).leave().then(() => location.reload());
  $('owner-leave').addEventListener('click', () => leave().catch(fail));
  $('owner-head').replaceChildren(
    ...[texts.sentAt, ...columns.map(([, title]) => title), ''].map((title) => make('th', { scope: 'col' }, title)),
  );
  const show = async (items) => {
    $('owner-rows').replaceChildren(...items.map((item) => row(item, columns, remove)));
    const n = items.length < MOST ? items.length : await collection.count().catch(() => items.length);
    $('owner-note').textContent = n === 0 ? texts.nobodyYet : format(texts.entryCount, { n });
  };
  collection.watch(show, { limit: MOST, onError: fail });
}
