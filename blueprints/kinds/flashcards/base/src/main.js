import { cards as first } from './cards.js';
import { $, make } from './dom.js';
import { answered, isDue, newCard, nextCard } from './game.js';
import { show } from './shell.js';
import { load, save } from './store.js';
import { format, texts } from './texts.js';

let cards = load('cards', first.map(newCard));
let current;
let turned = false;

const button = (textContent, onclick, className = '') => make('button', { type: 'button', textContent, onclick, className });
const front = make('p', { className: 'front', dir: 'auto' });
const back = make('p', { className: 'back', dir: 'auto' });
const card = make('div', { className: 'card', onclick: turn }, front, back);
const reveal = button(texts.show, turn, 'primary');
const again = button(texts.again, () => answer(false));
const known = button(texts.known, () => answer(true), 'primary');
const practise = button(texts.practise, () => change(cards.map((one) => ({ ...one, due: 0 }))), 'primary');
$('board').append(card);
card.setAttribute('aria-live', 'polite');
$('controls').replaceChildren(reveal, again, known, practise);

const frontInput = make('input', { ariaLabel: texts.front, placeholder: texts.front, required: true });
const backInput = make('input', { ariaLabel: texts.back, placeholder: texts.back, required: true });
const form = make('form', {}, frontInput, backInput, make('button', { textContent: texts.add, className: 'primary' }));
const summary = make('summary');
const list = make('ul');
document.querySelector('main').append(make('details', {}, summary, form, list));

function draw() {
  current = nextCard(cards, Date.now());
  const due = cards.filter((one) => isDue(one, Date.now())).length;
  show({ message: current ? texts.hello : texts.done, due });
  for (const box of [1, 2, 3]) show({ [`box${box}`]: cards.filter((one) => one.box === box).length });
  card.hidden = !current;
  front.textContent = current?.front ?? '';
  back.textContent = turned ? current.back : '';
  reveal.hidden = !current || turned;
  again.hidden = known.hidden = !turned;
  practise.hidden = current !== undefined || cards.length === 0;
  summary.textContent = format(texts.edit, { n: cards.length });
  list.replaceChildren(
    ...cards.map((one) => {
      const remove = button('×', () => {
        change(cards.filter((other) => other !== one));
        summary.focus();
      });
      remove.ariaLabel = format(texts.remove, { name: one.front });
      return make('li', {}, make('span', { textContent: one.front, dir: 'auto' }), make('span', { textContent: one.back, dir: 'auto' }), remove);
    }),
  );
}

function change(next) {
  cards = next;
  save('cards', cards);
  turned = false;
  draw();
}

function turn() {
  if (!current) return;
  turned = true;
  draw();
  known.focus();
}

function answer(isKnown) {
  change(cards.map((one) => (one === current ? answered(one, isKnown, Date.now()) : one)));
  (current ? reveal : practise).focus();
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input')) return;
  if (event.key === ' ' && !turned && !event.target.closest('button, summary')) turn();
  else if (turned && event.key === '1') answer(false);
  else if (turned && event.key === '2') answer(true);
  else return;
  event.preventDefault();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  change([...cards, newCard({ front: frontInput.value.trim(), back: backInput.value.trim() })]);
  form.reset();
  frontInput.focus();
});
draw();
