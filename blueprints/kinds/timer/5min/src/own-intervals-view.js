import { addOwn, ownIntervals, removeOwn } from './own-intervals.js';
import { format, texts } from './texts.js';

const $ = (id) => document.getElementById(id);

/**
 * Lets the visitor add and remove intervals of their own.
 * `offer(interval)` adds one to the page, `withdraw(id)` removes it.
 */
export function listenForOwnIntervals({ offer, withdraw }) {
  function show() {
    $('own-list').replaceChildren(
      ...ownIntervals().map(({ id, name, minutes }) => {
        const item = document.createElement('li');
        const button = Object.assign(document.createElement('button'), { type: 'button', textContent: texts.remove });
        button.setAttribute('aria-label', format(texts.removeOne, { name }));
        button.addEventListener('click', () => {
          removeOwn(id);
          withdraw(id);
          show();
          $('own-name').focus();
        });
        item.append(`${name}, ${minutes} min`, button);
        return item;
      }),
    );
  }

  $('open-own').addEventListener('click', () => {
    show();
    $('own').showModal();
  });
  $('own-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const interval = addOwn($('own-name').value.trim(), $('own-minutes').valueAsNumber);
    withdraw(interval.id);
    offer(interval);
    $('own-form').reset();
    show();
    $('own-name').focus();
  });
  ownIntervals().forEach(offer);
}
