import { add, columns, inColumn } from './cards.js';
import { chooseFiles, download } from './files.js';
import { fromMarkdown, toMarkdown } from './outline.js';
import { step } from './steps.js';

const $ = (id) => document.getElementById(id);
const ARROWS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];

/** Moves cards with Alt and the arrow keys, and the board in and out of files. */
export function offerMoreTools({ place, show, say }) {
  $('board').addEventListener('keydown', (event) => {
    const id = event.target.dataset.id;
    if (!id || !event.altKey || !ARROWS.includes(event.key)) return;
    event.preventDefault();
    const board = columns.map((_name, index) => inColumn(index).map((card) => card.id));
    const target = step(board, id, event.key);
    if (target) place(id, target.column, target.before);
  });

  $('export').addEventListener('click', () => {
    const board = columns.map((name, index) => ({ name, texts: inColumn(index).map(({ text }) => text) }));
    download('board.md', toMarkdown(board), 'text/markdown');
  });

  $('import').addEventListener('click', async () => {
    const cards = (await chooseFiles('.md,.markdown,.txt,text/markdown,text/plain')).flatMap(fromMarkdown);
    for (const { name, text } of cards) {
      const column = columns.findIndex((other) => other.toLowerCase() === name.toLowerCase());
      add(Math.max(0, column), text.slice(0, 200));
    }
    show();
    say(`${cards.length} ${cards.length === 1 ? 'card' : 'cards'} imported`);
  });
}
