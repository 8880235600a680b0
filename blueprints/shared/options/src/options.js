import { keepsData, keys } from './about.js';
import { backUp, erase, restore } from './backup.js';
import { chooseFiles, download } from './files.js';
import { load, prefix, save } from './store.js';

/** Each readable as text and under it, on light and on dark. The first is the one that the page was made with. */
const COLORS = '{{colors}}';
/** In per cent of the browser's own text size. */
const SIZES = { Small: 90, Normal: 100, Large: 115, Largest: 130 };

const BACKUP_NAME = '{{backupName}}';

const root = document.documentElement;
const chosen = { color: COLORS[0].name, size: 'Normal', ...load('options', {}) };

function make(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

function apply() {
  const color = COLORS.find(({ name }) => name === chosen.color) ?? COLORS[0];
  root.style.setProperty('--accent', `light-dark(${color.light}, ${color.dark})`);
  root.style.fontSize = `${SIZES[chosen.size] ?? SIZES.Normal}%`;
}

/** One of several, shown as a row of buttons; `decorate` may add to the label of each. */
function choice(option, legend, names, decorate = () => {}) {
  const labels = names.map((name) => {
    const input = make('input', { type: 'radio', name: option, value: name, checked: name === chosen[option] });
    const label = make('label', {}, input, name);
    decorate(label, name);
    return label;
  });
  const group = make('fieldset', { className: 'choice' }, make('legend', { textContent: legend }), ...labels);
  group.addEventListener('change', (event) => {
    chosen[option] = event.target.value;
    save('options', chosen);
    apply();
  });
  return group;
}

function swatch(label, name) {
  const { light, dark } = COLORS.find((color) => color.name === name);
  label.style.setProperty('--swatch', `light-dark(${light}, ${dark})`);
}

function keyList() {
  const rows = [...keys, ['?', 'Show these options']].map(([key, does]) =>
    make('div', {}, make('dt', {}, make('kbd', { textContent: key })), make('dd', { textContent: does })),
  );
  return [make('h3', { textContent: 'Keyboard' }), make('dl', { className: 'key-list' }, ...rows)];
}

function dataTools() {
  const news = make('p', { className: 'news', role: 'status' });
  const keep = make('button', { type: 'button', textContent: 'Download a backup' });
  const bring = make('button', { type: 'button', textContent: 'Restore a backup' });
  const clear = make('button', { type: 'button', textContent: 'Erase everything' });
  keep.addEventListener('click', () => download(BACKUP_NAME, backUp(localStorage, prefix), 'application/json'));
  bring.addEventListener('click', async () => {
    const [text] = await chooseFiles('.json,application/json');
    if (text === undefined) return;
    try {
      restore(localStorage, prefix, text);
      location.reload();
    } catch {
      news.textContent = 'This file is not a backup of this page. Nothing has changed.';
    }
  });
  clear.addEventListener('click', () => {
    if (clear.dataset.asked) {
      erase(localStorage, prefix);
      location.reload();
    }
    clear.dataset.asked = 'yes';
    clear.textContent = 'Really erase? Press again';
  });
  return [
    make('h3', { textContent: 'Your data' }),
    make('p', { textContent: 'It is kept in this browser and nowhere else. A backup takes it to another one.' }),
    make('div', { className: 'row' }, keep, bring, clear),
    news,
  ];
}

const close = make('button', { className: 'close', textContent: 'Close' });
const dialog = make(
  'dialog',
  { className: 'options', id: 'options' },
  make(
    'form',
    { method: 'dialog' },
    make('h2', { id: 'options-title', textContent: 'Options' }),
    choice('size', 'Text size', Object.keys(SIZES)),
    choice('color', 'Colour', COLORS.map(({ name }) => name), swatch),
    ...keyList(),
    ...(keepsData ? dataTools() : []),
    close,
  ),
);
dialog.setAttribute('aria-labelledby', 'options-title');

const ICON = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 5v.01M12 12v.01M12 19v.01"/></svg>';
const button = make('button', { className: 'options-button', type: 'button', innerHTML: ICON });
button.setAttribute('aria-label', 'Options');
button.addEventListener('click', () => dialog.showModal());
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select, dialog');
  if (event.key === '?' && !isTyping) dialog.showModal();
});

const toggle = document.getElementById('theme-toggle');
const corner = make('div', { className: 'corner' });
toggle.replaceWith(corner);
corner.append(button, toggle);
document.body.append(dialog);
apply();
