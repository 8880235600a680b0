import { $, make } from './dom.js';
import { faces } from './faces.js';
import { Game } from './game.js';
import { keepBest, moveByArrows, show } from './shell.js';
import { load, save } from './store.js';
import { format, texts } from './texts.js';

/** Milliseconds that two cards stay open which are not a pair. */
const LOOK = 1100;
const SVG = 'http://www.w3.org/2000/svg';

let game;
let begun = 0;
let clock;
let timer;
let columns;

const size = make('select', { ariaLabel: texts.size });
size.append(...'{{sizes}}'.map((n) => make('option', { value: n, textContent: format(texts.pairs, { n }) })));
size.value = load('size', '{{pairs}}');
$('controls').append(size);

const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
const seconds = () => (begun ? Math.round((Date.now() - begun) / 1000) : 0);

function picture({ text, color, path }) {
  if (text) return make('span', { textContent: text, className: text.length > 2 ? 'word' : 'emoji', dir: 'auto' });
  const svg = document.createElementNS(SVG, 'svg');
  const shape = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  shape.setAttribute('d', path);
  shape.setAttribute('fill', color);
  shape.setAttribute('fill-rule', 'evenodd');
  svg.append(shape);
  return svg;
}

function draw() {
  for (const [index, button] of [...$('board').children].entries()) {
    const { face, found } = game.cards[index];
    const open = game.isOpen(index);
    if (open !== button.classList.contains('open')) button.replaceChildren(...(open ? [picture(face)] : []));
    button.classList.toggle('open', open);
    button.classList.toggle('found', found);
    button.ariaLabel = format(open ? texts.open : texts.hidden, { at: index + 1, face: face.name });
  }
  show({ moves: game.moves, time: clockText(seconds()), best: load(`best-${size.value}`, '–') });
}

function turn(index) {
  clearTimeout(timer);
  const { moves } = game;
  if (!game.turn(index)) return;
  if (!begun) {
    begun = Date.now();
    clock = setInterval(() => show({ time: clockText(seconds()) }), 1000);
  }
  if (game.left === 0) finish();
  else if (game.moves > moves) show({ message: game.missed ? texts.missed : format(texts.found, { n: game.left }) });
  if (game.missed) {
    timer = setTimeout(() => {
      game.turnBack();
      draw();
    }, LOOK);
  }
  draw();
}

function finish() {
  clearInterval(clock);
  const isBest = keepBest(game.moves, (one, other) => one < other, `best-${size.value}`);
  const message = format(texts.won, { n: game.moves });
  show({ message: isBest ? `${message} ${texts.newBest}` : message, again: texts.playAgain });
}

function begin() {
  clearTimeout(timer);
  clearInterval(clock);
  begun = 0;
  const pairs = Number(size.value);
  game = new Game(faces.slice(0, pairs));
  columns = [6, 5, 4, 3, 2].find((n) => (pairs * 2) % n === 0 && n * n <= pairs * 2 + 4);
  $('board').style.setProperty('--columns', columns);
  $('board').replaceChildren(...game.cards.map(() => make('button', { type: 'button' })));
  show({ message: texts.hello, again: texts.newGame });
  draw();
}

$('board').addEventListener('click', (event) => {
  const index = [...$('board').children].indexOf(event.target.closest('button'));
  if (index >= 0) turn(index);
});
$('again').addEventListener('click', begin);
size.addEventListener('change', () => {
  save('size', size.value);
  begin();
});
moveByArrows($('board'), () => columns);
begin();
