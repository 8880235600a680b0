import { questions } from './questions.js';
import { Round } from './round.js';
import { load, save } from './store.js';

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
  $('score').textContent = `${round.score} of ${round.answered} right`;
}

function begin() {
  const asked = [...questions];
  round = new Round(asked);
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
  $('next').textContent = 'Answer';
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
  $('feedback').textContent = `${isRight ? 'Right.' : `No: ${right}.`} ${note}`;
  $('next').textContent = round.current ? 'Next question' : 'See the result';
  showProgress();
  $('next').focus();
}

function finish() {
  const share = round.score / round.length;
  const best = Math.max(round.score, load('best', 0));
  save('best', best);
  showPart('end');
  $('verdict').textContent = `${round.score} of ${round.length}`;
  $('summary').textContent =
    share === 1 ? 'All correct. Impressive.' : share >= 0.6 ? 'Well done. These were wrong:' : 'A start. Here are the correct answers:';
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
$('best').textContent = best > 0 ? `Your best so far: ${best} of ${questions.length}` : '';
