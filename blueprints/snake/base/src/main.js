import { draw } from './draw.js';
import { Game } from './game.js';
import { load, save } from './store.js';

const KEYS = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right', w: 'up', s: 'down', a: 'left', d: 'right' };
const SWIPE = 24;

const $ = (id) => document.getElementById(id);
let game;
let timer = null;
let touch = null;

function renew() {
  game = new Game();
  show();
}

function show() {
  draw($('board'), game);
  $('score').textContent = game.score;
  $('best').textContent = Math.max(game.score, load('best', 0));
}

/** Milliseconds until the next step. */
const pause = () =>
  game.pace;

function wait() {
  timer = setTimeout(tick, pause());
}

function tick() {
  game.step();
  show();
  if (game.over) finish();
  else wait();
}

function play() {
  if (game.over) renew();
  $('overlay').hidden = true;
  show();
  wait();
}

function stop(message, action) {
  clearTimeout(timer);
  timer = null;
  $('overlay').hidden = false;
  $('message').textContent = message;
  $('play').textContent = action;
  $('play').focus();
}

function finish() {
  const best = load('best', 0);
  save('best', Math.max(best, game.score));
  stop(game.score > best ? `${game.score}, your best so far.` : `Game over. You ate ${game.score}.`, 'Play again');
}

$('play').addEventListener('click', play);
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || timer === null) return;
  const direction = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  if (direction) game.turn(direction);
  else if (event.key === ' ') stop('Paused', 'Resume');
  else return;
  event.preventDefault();
});
// React to the press, not to the release. Keyboards and screen readers send only a click.
for (const type of ['pointerdown', 'click']) {
  $('pad').addEventListener(type, (event) => {
    const button = event.target.closest('button');
    if (button) game.turn(button.value);
  });
}
$('board').addEventListener('pointerdown', (event) => {
  touch = { x: event.clientX, y: event.clientY };
});
$('board').addEventListener('pointermove', (event) => {
  if (!touch) return;
  const [x, y] = [event.clientX - touch.x, event.clientY - touch.y];
  if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE) return;
  game.turn(Math.abs(x) > Math.abs(y) ? (x > 0 ? 'right' : 'left') : y > 0 ? 'down' : 'up');
  touch = { x: event.clientX, y: event.clientY };
});
document.addEventListener('pointerup', () => {
  touch = null;
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden && timer !== null) stop('Paused', 'Resume');
});
// A canvas keeps its colours when the theme changes.
new MutationObserver(show).observe(document.documentElement, { attributeFilter: ['data-theme'] });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);

renew();
