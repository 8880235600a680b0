import { Clock } from './clock.js';
import { load, save } from './store.js';

const $ = (id) => document.getElementById(id);
const clock = new Clock();

/** Seconds that the visitor wants for each question; 0 is as long as they like. */
export const pace = () => Number($('pace').value);

/** Starts the time for a question, if there is one; `onEnd` is called when it is over. */
export function startClock(onEnd) {
  $('clock').hidden = pace() === 0;
  if (pace() === 0) return;
  clock.start(
    pace(),
    (left, share) => {
      $('clock').textContent = `${left} s`;
      $('clock').style.setProperty('--left', String(share));
    },
    onEnd,
  );
}

export function stopClock() {
  clock.stop();
}

const stored = String(load('pace', 0));
$('pace').value = [...$('pace').options].some(({ value }) => value === stored) ? stored : '0';
$('pace').addEventListener('change', () => save('pace', pace()));
