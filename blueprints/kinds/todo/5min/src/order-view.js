import { all, replace } from './entries.js';
import { moveBeside, moveBy } from './order.js';
import { format, texts } from './texts.js';

/**
 * Lets a row be moved by its handle: dragged with mouse or finger, or with the arrow keys.
 * `isShown(entry)` returns whether an entry has a row; `changed` is called after a move.
 */
export function offerMoves(item, entry, isShown, changed) {
  const handle = item.querySelector('.handle');
  handle.setAttribute('aria-label', format(texts.move, entry));

  handle.addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    replace(moveBy(all(), entry.id, step, isShown));
    changed('.handle');
  });

  handle.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    handle.focus();
    item.classList.add('moving');
    const stop = new AbortController();
    document.addEventListener('pointermove', (moved) => follow(item, moved.clientY), { signal: stop.signal });
    for (const end of ['pointerup', 'pointercancel']) {
      document.addEventListener(
        end,
        () => {
          stop.abort();
          item.classList.remove('moving');
          settle(item, entry);
          changed('.handle');
        },
        { signal: stop.signal },
      );
    }
  });
}

// Moves the other rows: the browser ends a drag when the dragged element leaves the document.
function follow(item, y) {
  const middle = (row) => row.getBoundingClientRect().top + row.offsetHeight / 2;
  const { previousElementSibling: above, nextElementSibling: below } = item;
  if (above && y < middle(above)) item.after(above);
  else if (below && y > middle(below)) item.before(below);
}

function settle(item, { id }) {
  const { previousElementSibling: above, nextElementSibling: below } = item;
  if (above) replace(moveBeside(all(), id, above.dataset.id, 'after'));
  else if (below) replace(moveBeside(all(), id, below.dataset.id, 'before'));
}
