import { questions } from './questions.js';
import { Round } from './round.js';
import { load, save } from './store.js';
import { format, texts } from './texts.js';

const $ = (id) => document.getElementById(id);
const make = (name, properties = {}) => Object.assign(document.createElement(name), properties);
const KEYS = ['A', 'B', 'C', 'D', 'E', 'F'];

let round;
/** Whether the current question is answered. */
let judged = false;

function showPart(id) {
  for (const part of ['welcome', 'ask', 'end']) $(part).hidden = part !== id;
}

function showProgress() {
  $('steps').replaceChildren(
    ...Array.from({ length: round.length }, (_, index) => make('span', { className: index < round.answered ? 'done' : '' })),
  );
  $('score').textContent = format(texts.progress, { n: round.score, total: round.answered });
}

function begin() {
  round = new Round(questions);
  showPart('ask');
  ask();
}

function ask() {
  judged = false;
  const { question, answers } = round.current;
  $('question').textContent = question;
  $('answers').replaceChildren(
    ...answers.map((answer, index) => {
      const label = make('label');
      label.dataset.key = KEYS[index];
      label.append(answer, make('input', { type: 'radio', name: 'answer', value: answer, required: true }));
      return label;
    }),
  );
  $('feedback').textContent = '';
  $('next').textContent = texts.answer;
  showProgress();
  $('question').focus();
}

function judge() {
  const chosen = $('answers').querySelector(':checked');
  judged = true;
  const { right, note } = round.current;
  const isRight = round.answer(chosen?.value ?? '');
  for (const input of $('answers').querySelectorAll('input')) {
    input.disabled = true;
    if (input.value === right) input.parentElement.className = 'right';
    else if (input === chosen) input.parentElement.className = 'wrong';
  }
  $('feedback').textContent = format(isRight ? texts.correct : texts.incorrect, { right, note });
  $('next').textContent = round.current ? texts.next : texts.result;
  showProgress();
  $('next').focus();
}

function finish() {
  const share = round.score / round.length;
  const best = Math.max(round.score, load('best', 0));
  save('best', best);
  showPart('end');
  $('verdict').textContent = format(texts.verdict, { n: round.score, total: round.length });
  $('summary').textContent = share === 1 ? texts.perfect : share >= 0.6 ? texts.good : texts.start;
  $('review').replaceChildren(
    ...round.mistakes.map(({ question, right }) => {
      const item = make('li');
      item.append(make('strong', { textContent: question }), right);
      return item;
    }),
  );
  $('verdict').focus();
}

$('begin').addEventListener('click', begin);
$('again').addEventListener('click', begin);
$('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  if (!judged) judge();
  else if (round.current) ask();
  else finish();
});
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('ask').hidden || judged) return;
  const index = KEYS.indexOf(event.key.toUpperCase());
  const input = $('answers').querySelectorAll('input')[index >= 0 ? index : Number(event.key) - 1];
  input?.focus();
  input?.click();
});

const best = load('best', 0);
$('best').textContent = best > 0 ? format(texts.bestSoFar, { n: best, total: questions.length }) : '';
