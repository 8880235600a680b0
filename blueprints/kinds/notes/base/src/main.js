import { render } from './markdown.js';
import { create, find, get, outline, remove, write } from './notes.js';
import { format, texts } from './texts.js';

const $ = (id) => document.getElementById(id);
let current = find()[0] ?? create();

function showList() {
  const found = find($('search').value);
  $('none').hidden = found.length > 0;
  $('list').replaceChildren(
    ...found.map((note) => {
      const [item, button, title, summary] = ['li', 'button', 'strong', 'span'].map((name) => document.createElement(name));
      const lines = outline(note);
      title.textContent = lines.title;
      summary.textContent = lines.summary;
      title.dir = 'auto';
      summary.dir = 'auto';
      button.type = 'button';
      button.append(title, summary);
      button.setAttribute('aria-current', String(note.id === current.id));
      button.addEventListener('click', () => open(note.id, 'read'));
      item.append(button);
      return item;
    }),
  );
}

function showNote() {
  const text = $('editor').value;
  const words = text.match(/[\p{L}\p{N}’'-]+/gu)?.length ?? 0;
  $('preview').replaceChildren(...render(text));
  $('status').textContent = format(texts.words, { n: words });
}

/** Switches between list, editor and preview on a phone. Wide screens show all three. */
function view(name) {
  document.body.dataset.view = name;
  $('write').setAttribute('aria-pressed', String(name === 'write'));
  $('read').setAttribute('aria-pressed', String(name === 'read'));
}

function open(id, name) {
  current = get(id);
  $('editor').value = current.text;
  showNote();
  showList();
  view(name);
}

$('editor').addEventListener('input', () => {
  write(current.id, $('editor').value);
  showNote();
  showList();
});

$('new').addEventListener('click', () => {
  $('search').value = '';
  open(create().id, 'write');
  $('editor').focus();
});

$('delete').addEventListener('click', () => {
  $('confirm').returnValue = 'keep';
  $('confirm').showModal();
});
$('confirm').addEventListener('close', () => {
  if ($('confirm').returnValue !== 'delete') return;
  remove(current.id);
  open((find()[0] ?? create()).id, 'list');
});

$('download').addEventListener('click', () => {
  const url = URL.createObjectURL(new Blob([$('editor').value], { type: 'text/markdown' }));
  const name = outline(current).title.replace(/[^\p{L}\p{N} -]/gu, '').trim() || texts.fileName;
  Object.assign(document.createElement('a'), { href: url, download: `${name}.md` }).click();
  URL.revokeObjectURL(url);
});

$('search').addEventListener('input', showList);
$('back').addEventListener('click', () => view('list'));
$('write').addEventListener('click', () => view('write'));
$('read').addEventListener('click', () => view('read'));

open(current.id, 'list');
