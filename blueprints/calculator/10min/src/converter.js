import { format } from './evaluate.js';
import { load, save } from './store.js';
import { convert, QUANTITIES } from './units.js';

const $ = (id) => document.getElementById(id);

/** The converter. `value()` is the number on the display, `insert(text)` types one. */
export function offerConverter({ value, insert }) {
  const result = () => convert($('amount').valueAsNumber, $('quantity').value, $('from').value, $('to').value);

  function show() {
    const converted = result();
    $('converted').textContent = Number.isFinite(converted) ? `= ${format(converted)}` : '';
    $('use').disabled = !Number.isFinite(converted);
    save('converter', [$('quantity').value, $('from').value, $('to').value]);
  }

  function showUnits(from, to) {
    const units = Object.keys(QUANTITIES[$('quantity').value]);
    for (const id of ['from', 'to']) $(id).replaceChildren(...units.map((unit) => new Option(unit)));
    $('from').value = units.includes(from) ? from : units[0];
    $('to').value = units.includes(to) ? to : units[1];
  }

  const [quantity, from, to] = load('converter', ['Length', 'mile', 'kilometre']);
  $('quantity').append(...Object.keys(QUANTITIES).map((name) => new Option(name)));
  $('quantity').value = Object.hasOwn(QUANTITIES, quantity) ? quantity : 'Length';
  showUnits(from, to);

  $('open-converter').addEventListener('click', () => {
    $('amount').value = Number((value() ?? 1).toPrecision(12));
    show();
    $('converter').showModal();
    $('amount').select();
  });
  // Before the dialog hears of it: its result needs the units of the new quantity.
  $('quantity').addEventListener('input', () => showUnits());
  $('swap').addEventListener('click', () => {
    showUnits($('to').value, $('from').value);
    show();
  });
  $('converter').addEventListener('input', show);
  $('converter').addEventListener('close', () => {
    if ($('converter').returnValue === 'use') insert(format(result()));
    $('converter').returnValue = '';
  });
}
