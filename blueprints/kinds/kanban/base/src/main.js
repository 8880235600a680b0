import { add, columns, get, inColumn, move, remove, rename } from './cards.js';
import { format, texts } from './texts.js';

const $ = (id) => document.getElementById(id);
let dragged = null;
let edited = null;

function cardElement({ id, text }) {
  const item = document.createElement('li');
  const button = Object.assign(document.createElement('button'), { className: 'card', type: 'button', draggable: true });
  button.textContent = text;
  button.dir = 'auto';
  button.dataset.id = id;
  button.addEventListener('click', () => edit(id));
  button.addEventListener('dragstart', (event) => {
    dragged = id;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', text);
    button.classList.add('dragged');
  });
  button.addEventListener('dragend', () => {
    dragged = null;
    show();
  });
  item.append(button);
  return item;
}

function columnElement(name, index) {
  const column = $('column').content.cloneNode(true).firstElementChild;
  const cards = inColumn(index);
  const input = column.querySelector('input');
  const label = column.querySelector('label');
  column.setAttribute('aria-label', name);
  column.querySelector('.name').textContent = name;
  column.querySelector('.number').textContent = cards.length;
  column.querySelector('ul').append(...cards.map(cardElement));
  input.id = `new-${index}`;
  label.htmlFor = input.id;
  label.textContent = format(texts.newCard, { column: name });
  column.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    if (!input.value.trim()) return;
    add(index, input.value.trim());
    show(`#new-${index}`);
  });
  column.addEventListener('dragover', (event) => {
    if (!dragged) return;
    event.preventDefault();
    column.classList.add('target');
  });
  column.addEventListener('dragleave', (event) => {
    if (!column.contains(event.relatedTarget)) column.classList.remove('target');
  });
  column.addEventListener('drop', (event) => {
    event.preventDefault();
    place(dragged, index, event.target.closest('.card')?.dataset.id);
  });
  return column;
}

function place(id, column, before) {
  move(id, column, before);
  $('news').textContent = format(texts.moved, { text: get(id).text, column: columns[column] });
  show(`[data-id="${CSS.escape(id)}"]`);
}

/** Redraws the board and focuses the element that matches the selector. */
function show(focused) {
  const { scrollLeft } = $('board');
  $('board').replaceChildren(...columns.map(columnElement));
  $('board').scrollLeft = scrollLeft;
  if (focused) document.querySelector(focused)?.focus();
}

// The dialog moves cards without a mouse: on a phone or from the keyboard.
function edit(id) {
  edited = get(id);
  $('card-text').value = edited.text;
  $('card-column').replaceChildren(...columns.map((name, index) => new Option(name, index)));
  $('card-column').value = edited.column;
  $('editor').returnValue = 'cancel';
  $('editor').showModal();
}

$('editor').addEventListener('close', () => {
  const { id, column, text } = edited;
  const chosen = Number($('card-column').value);
  if ($('editor').returnValue === 'delete') {
    remove(id);
    $('news').textContent = format(texts.deleted, { text });
    show('#board');
  } else if ($('editor').returnValue === 'save') {
    rename(id, $('card-text').value.trim() || text);
    if (chosen !== column) place(id, chosen);
    else show(`[data-id="${CSS.escape(id)}"]`);
  }
});

show();
