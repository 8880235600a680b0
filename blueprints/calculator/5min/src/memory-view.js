import { format } from './evaluate.js';
import { addToMemory, recall, remember } from './memory.js';

const $ = (id) => document.getElementById(id);

function show() {
  const value = recall();
  $('memory').textContent = value === 0 ? '' : `M ${format(value)}`;
}

/** What the memory keys do. `value()` is the number on the display, `insert(text)` types one. */
export function memoryActions({ value, insert }) {
  const change = (action) => () => {
    action();
    show();
  };
  return {
    'memory-clear': change(() => remember(0)),
    'memory-add': change(() => addToMemory(value())),
    'memory-subtract': change(() => addToMemory(-value())),
    'memory-recall': () => insert(format(recall())),
  };
}

$('copy').addEventListener('click', async () => {
  const text = $('result').textContent.replace(/^= /, '') || $('expression').textContent;
  try {
    await navigator.clipboard.writeText(text);
    $('copy').textContent = 'Copied';
  } catch {
    $('copy').textContent = 'Not allowed';
  }
  setTimeout(() => {
    $('copy').textContent = 'Copy';
  }, 2000);
});

show();
