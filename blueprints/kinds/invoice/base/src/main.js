import { config } from './config.js';
import { addDays, today } from './dates.js';
import { $, make } from './dom.js';
import { entriesOf } from './entries.js';
import { iconButton } from './icon-button.js';
import { load, save } from './store.js';
import { format, lang, texts } from './texts.js';
import { amountOf, totals } from './totals.js';

const money = new Intl.NumberFormat(lang, { style: 'currency', currency: config.currency });
const form = $('form');
const lines = entriesOf('lines', config.lines.length > 0 ? config.lines : [{ description: '', quantity: 1, price: 0 }], draw);

const dates = () => ({ date: today(), due: addDays(today(), 14) });
let details = load('details', {
  number: `${today().slice(0, 4)}-001`,
  seller: config.seller,
  customer: config.customer,
  rate: config.rate,
  note: '',
  ...dates(),
});

/** Creates a cell with an input for one part of a line. */
function cell(line, part, index, properties) {
  const label = texts[part === 'description' ? 'item' : part];
  const input = make('input', { value: line[part], ariaLabel: `${label}, ${format(texts.line, { n: index + 1 })}`, ...properties });
  input.addEventListener('input', () => lines.change(line.id, { [part]: input.type === 'number' ? Number(input.value) : input.value }));
  return make('td', { className: part, 'data-label': label }, input);
}

function row(line, index) {
  const amount = { type: 'number', min: 0, step: 'any', inputMode: 'decimal' };
  const item = make('tr', {},
    cell(line, 'description', index, { maxLength: 120, dir: 'auto' }),
    cell(line, 'quantity', index, amount),
    cell(line, 'price', index, amount),
    make('td', { className: 'amount', 'data-label': texts.amount }),
    make('td', { className: 'screen' }, iconButton('remove', format(texts.remove, { name: format(texts.line, { n: index + 1 }) }), () => {
      lines.remove(line.id, line.description || format(texts.line, { n: index + 1 }));
      $('add').focus();
    })));
  item.dataset.id = line.id;
  return item;
}

/** Writes all amounts. Rows are made again only if there are others, because one of them may have the focus. */
function draw() {
  const all = lines.all();
  const rows = [...$('lines').rows];
  if (rows.map(({ dataset }) => dataset.id).join() !== all.map(({ id }) => id).join()) $('lines').replaceChildren(...all.map(row));
  for (const [index, line] of all.entries()) $('lines').rows[index].cells[3].textContent = money.format(amountOf(line));
  for (const [name, value] of Object.entries(totals(all, details.rate))) $(name).textContent = money.format(value);
}

function showDetails() {
  for (const [name, value] of Object.entries(details)) form.elements[name].value = value;
}

form.addEventListener('input', ({ target }) => {
  if (!(target.name in details)) return;
  details = { ...details, [target.name]: target.type === 'number' ? Number(target.value) : target.value };
  save('details', details);
  draw();
});
form.addEventListener('submit', (event) => event.preventDefault());
$('add').addEventListener('click', () => {
  lines.add({ description: '', quantity: 1, price: 0 });
  $('lines').lastElementChild.querySelector('input').focus();
});
$('print').addEventListener('click', () => print());
$('new').addEventListener('click', () => {
  $('sure').returnValue = '';
  $('sure').showModal();
});
$('sure').addEventListener('close', () => {
  if ($('sure').returnValue !== 'new') return;
  const number = details.number.replace(/\d+(?=\D*$)/, (digits) => String(Number(digits) + 1).padStart(digits.length, '0'));
  details = { ...details, number, customer: '', ...dates() };
  save('details', details);
  lines.clear();
  showDetails();
  $('add').click();
  form.elements.customer.focus();
});

$('head').append(...['item', 'quantity', 'price', 'amount'].map((name) => make('th', { scope: 'col', className: name }, texts[name])), make('td', { className: 'screen' }));
showDetails();
draw();
