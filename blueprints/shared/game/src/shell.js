import { $ } from './dom.js';
import { load, save } from './store.js';

/** Pixels that a finger must move to make a swipe. */
const SWIPE = 24;
const TURNS = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right', w: 'up', s: 'down', a: 'left', d: 'right' };

/** Shows texts and numbers by the id of their elements. */
export function show(values) {
  for (const [id, value] of Object.entries(values)) if ($(id).textContent !== String(value)) $(id).textContent = value;
}

/** Stores a result when it is better than the stored one, and returns whether it is. */
export function keepBest(value, isBetter = (one, other) => one > other, name = 'best') {
  const best = load(name, null);
  const better = best === null ? value > 0 : isBetter(value, best);
  if (better) save(name, value);
  return better;
}

/** Returns 'up', 'down', 'left' or 'right' for a pressed arrow or W A S D key, else undefined. */
export function turnOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return undefined;
  return TURNS[event.key] ?? TURNS[event.key.toLowerCase()];
}

/** Calls `turn` with a direction for each key, each press of a button of the pad, and each swipe over `target`. */
export function onTurn(target, turn) {
  let from = null;
  document.addEventListener('keydown', (event) => {
    const direction = turnOf(event);
    if (direction && turn(direction) !== false) event.preventDefault();
  });
  // React to the press, not to the release. Keyboards and screen readers send only a click, which has no detail.
  for (const type of ['pointerdown', 'click']) {
    $('pad').addEventListener(type, (event) => {
      const button = event.target.closest('button');
      if (button && (type === 'pointerdown' || event.detail === 0)) turn(button.value);
    });
  }
  target.addEventListener('pointerdown', (event) => {
    from = { x: event.clientX, y: event.clientY };
  });
  target.addEventListener('pointermove', (event) => {
    if (!from) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE) return;
    turn(Math.abs(x) > Math.abs(y) ? (x > 0 ? 'right' : 'left') : y > 0 ? 'down' : 'up');
    from = target.dataset.repeat ? { x: event.clientX, y: event.clientY } : null;
  });
  document.addEventListener('pointerup', () => {
    from = null;
  });
}

/** Lets arrow keys move the focus between the buttons of a grid that `columns()` tells the width of. */
export function moveByArrows(board, columns) {
  board.addEventListener('keydown', (event) => {
    const step = { up: -columns(), down: columns(), left: -1, right: 1 }[turnOf(event)];
    const buttons = [...board.querySelectorAll('button')];
    if (!step) return;
    event.preventDefault();
    buttons[buttons.indexOf(event.target) + step]?.focus();
  });
}
