import { $, make } from './dom.js';
import { Game } from './game.js';
import { keepBest, onTurn, show } from './shell.js';
import { load, save } from './store.js';
import { format, texts } from './texts.js';

const SIZE = Number('{{size}}');

let game = new Game(SIZE, load('game', null));
/** Whether this game reached the goal before, so that it is celebrated once. */
let celebrated = game.won;

const undo = make('button', { type: 'button', textContent: texts.undo });
$('controls').append(undo);
$('board').setAttribute('role', 'img');
$('board').style.setProperty('--size', SIZE);
$('board').append(...Array.from({ length: SIZE ** 2 }, () => make('span', { className: 'place' })));
const name = $('board').ariaLabel;
const elements = new Map();

function place({ id, value, at, merged }) {
  const element = elements.get(id) ?? make('span', { className: 'tile' });
  if (!elements.has(id)) $('board').append(element);
  elements.set(id, element);
  element.textContent = value;
  element.dataset.value = value;
  element.dataset.digits = String(value).length;
  element.classList.toggle('merged', merged === true);
  element.classList.toggle('high', value > 16);
  element.style.setProperty('--level', Math.log2(value));
  element.style.setProperty('--x', at % SIZE);
  element.style.setProperty('--y', Math.floor(at / SIZE));
}

/** The board in words, row by row. */
function inWords() {
  const valueAt = (at) => game.tiles.find((tile) => tile.at === at)?.value ?? texts.empty;
  const rows = Array.from({ length: SIZE }, (_, row) => Array.from({ length: SIZE }, (_, column) => valueAt(row * SIZE + column)));
  return rows.map((tiles, row) => format(texts.row, { n: row + 1, tiles: tiles.join(', ') })).join('; ');
}

function draw() {
  const kept = new Set(game.tiles.map(({ id }) => id));
  for (const [id, element] of elements) {
    if (kept.has(id)) continue;
    element.remove();
    elements.delete(id);
  }
  for (const tile of game.tiles) place(tile);
  const message = game.over ? texts.lost : game.won && !celebrated ? texts.won : texts.hello;
  celebrated ||= game.won;
  keepBest(game.score);
  save('game', game.state);
  $('board').ariaLabel = `${name}. ${inWords()}`;
  undo.disabled = !game.canUndo;
  show({ score: game.score, best: load('best', 0), message, again: game.over ? texts.playAgain : texts.newGame });
}

function takeBack() {
  if (!game.canUndo) return;
  game.undo();
  draw();
}

onTurn($('board'), (direction) => {
  if (game.move(direction)) draw();
});
undo.addEventListener('click', takeBack);
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() === 'u' && !event.altKey && !event.ctrlKey && !event.metaKey) takeBack();
  if (event.key === 'z' && (event.ctrlKey || event.metaKey)) takeBack();
});
$('again').addEventListener('click', () => {
  game = new Game(SIZE);
  celebrated = false;
  draw();
});
draw();
