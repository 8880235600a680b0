import { $, make } from './dom.js';
import { send } from './send.js';
import { problemWith, steps } from './steps.js';
import { load, save } from './store.js';
import { format, texts } from './texts.js';

const sheets = [...document.querySelectorAll('.step')];
const all = sheets.length;
let answers = load('answers', {});
let at = Math.min(load('step', 0), all - 1);

function showProblems(problems) {
  $('problems').hidden = problems.length === 0;
  const links = problems.map(({ id, text }) => make('li', {}, make('a', { href: `#${id}`, textContent: text })));
  $('problem-list').replaceChildren(...links);
  if (problems.length > 0) $('problems').focus();
}

/** Marks the fields of a step and returns what is wrong with them. */
function check({ fields }) {
  return fields.flatMap((field) => {
    const problem = problemWith(field, answers[field.id] ?? '');
    if (problem) $(field.id).setAttribute('aria-invalid', 'true');
    else $(field.id).removeAttribute('aria-invalid');
    return problem ? [{ id: field.id, text: format(texts[problem], field) }] : [];
  });
}

function showReview() {
  const parts = steps.map(({ heading, fields }, index) => {
    const rows = fields.flatMap(({ id, label }) => [make('dt', {}, label), make('dd', {}, answers[id]?.trim() || texts.none)]);
    const button = make('button', { type: 'button', ariaLabel: `${texts.change}: ${heading}` }, texts.change);
    button.addEventListener('click', () => go(index));
    return make('section', {}, make('h3', {}, heading), make('dl', {}, ...rows), button);
  });
  $('review').replaceChildren(...parts);
}

function show() {
  for (const [index, sheet] of sheets.entries()) sheet.hidden = index !== at;
  $('position').textContent = format(texts.step, { n: at + 1, all });
  $('progress').value = (at + 1) / all;
  $('back').hidden = at === 0;
  $('next').textContent = at === all - 1 ? texts.finish : texts.next;
  showProblems([]);
  if (at === all - 1) showReview();
}

function go(step) {
  at = step;
  save('step', at);
  show();
  sheets[at].querySelector('legend').focus();
}

async function finish() {
  const open = steps.findIndex((step) => check(step).length > 0);
  if (open >= 0) {
    go(open);
    return showProblems(check(steps[open]));
  }
  try {
    await send(answers);
  } catch {
    return showProblems([{ id: 'next', text: texts.failed }]);
  }
  $('form').hidden = true;
  $('done').hidden = false;
  $('done-title').focus();
}

$('form').addEventListener('input', ({ target }) => {
  answers = { ...answers, [target.id]: target.value };
  save('answers', answers);
  target.removeAttribute('aria-invalid');
});
$('form').addEventListener('submit', (event) => {
  event.preventDefault();
  if (at === all - 1) return finish();
  const problems = check(steps[at]);
  if (problems.length > 0) showProblems(problems);
  else go(at + 1);
});
$('problem-list').addEventListener('click', (event) => {
  event.preventDefault();
  if (event.target.hash) $(event.target.hash.slice(1)).focus();
});
$('back').addEventListener('click', () => go(at - 1));
$('again').addEventListener('click', () => {
  save('answers', {});
  save('step', 0);
  location.reload();
});
for (const { id } of steps.flatMap(({ fields }) => fields)) $(id).value = answers[id] ?? '';
show();
