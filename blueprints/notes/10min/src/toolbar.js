import { beginLines, link, surround } from './format.js';

const $ = (id) => document.getElementById(id);
const TOOLS = {
  bold: (selection) => surround(selection, '**'),
  italic: (selection) => surround(selection, '*'),
  code: (selection) => surround(selection, '`'),
  heading: (selection) => beginLines(selection, '## '),
  list: (selection) => beginLines(selection, '- '),
  task: (selection) => beginLines(selection, '- [ ] '),
  quote: (selection) => beginLines(selection, '> '),
  link,
};
const KEYS = { b: 'bold', i: 'italic', k: 'link', e: 'code' };

function use(name) {
  const editor = $('editor');
  const { value, selectionStart, selectionEnd } = editor;
  const { text, start, end } = TOOLS[name]({ text: value, start: selectionStart, end: selectionEnd });
  editor.focus();
  editor.value = text;
  editor.setSelectionRange(start, end);
  editor.dispatchEvent(new Event('input', { bubbles: true }));
}

$('tools').addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button) use(button.value);
});
$('editor').addEventListener('keydown', (event) => {
  const name = KEYS[event.key.toLowerCase()];
  if (!name || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  use(name);
});
