import { draw } from './draw.js';
import { Game } from './game.js';
/* #from5min */
import { keepScore, offerChoices, speed, walls } from './setup.js';
/* /from5min */
/* #from10min */
import { play as playSound, prepareSounds } from './sounds.js';
/* /from10min */
import { load, save } from './store.js';

const KEYS = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right', w: 'up', s: 'down', a: 'left', d: 'right' };
const SWIPE = 24;

const $ = (id) => document.getElementById(id);
let game;
let timer = null;
let touch = null;

function renew() {
  game = new Game();
  /* #from5min */
  game.walls = walls();
  /* /from5min */
  show();
}

function show() {
  draw($('board'), game);
  $('score').textContent = game.score;
  $('best').textContent = Math.max(game.score, load('best', 0));
}

/** Milliseconds until the next step. */
const pause = () =>
  /* #from5min */
  speed() *
  /* /from5min */
  game.pace;

function wait() {
  timer = setTimeout(tick, pause());
}

function tick() {
  /* #from10min */
  const { score } = game;
  /* /from10min */
  game.step();
  show();
  /* #from10min */
  if (game.score > score) playSound('eat');
  /* /from10min */
  if (game.over) finish();
  else wait();
}

function play() {
  if (game.over) renew();
  /* #from5min */
  $('choices').hidden = true;
  /* /from5min */
  /* #from10min */
  prepareSounds();
  /* /from10min */
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
  /* #from5min */
  keepScore(game.score);
  $('choices').hidden = false;
  /* /from5min */
  /* #from10min */
  playSound('over');
  /* /from10min */
  stop(game.score > best ? `${game.score}, your best so far.` : `Ouch. You ate ${game.score}.`, 'Play again');
}

$('play').addEventListener('click', play);
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || timer === null) return;
  const direction = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  if (direction) game.turn(direction);
  else if (event.key === ' ') stop('Paused', 'Go on');
  else return;
  event.preventDefault();
});
// The press counts, not the release; a click is what keyboards and screen readers send.
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
  if (document.hidden && timer !== null) stop('Paused', 'Go on');
});
/* #from10min */
// Nobody can steer while the options are open.
document.addEventListener('focusin', (event) => {
  if (timer !== null && event.target.closest('dialog')) stop('Paused', 'Go on');
});
/* /from10min */
// The canvas does not follow the theme by itself.
new MutationObserver(show).observe(document.documentElement, { attributeFilter: ['data-theme'] });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);

/* #from5min */
offerChoices(renew);
/* /from5min */
renew();
