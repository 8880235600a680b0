import { fields, problemWith } from './rules.js';
/* #hasOwner */
import { showToOwner } from './owner.js';
/* /hasOwner */
import { /* #hasOwner */ entries, /* /hasOwner */ /* #hasPlaces */ placesLeft, /* /hasPlaces */ send } from './send.js';
import { format, texts } from './texts.js';

const $ = (id) => document.getElementById(id);
const HIDDEN_VALUE = '••••••••';
/** Whether the values are under way: a second click would send them twice. */
let isSending = false;

/** The value of a field; of a choice, that of its chosen radio button. */
const valueOf = ({ id, name, type }) => (type === 'choice' ? (new FormData($('form')).get(name) ?? '') : $(id).value);

function check(field) {
  const input = $(field.id);
  const problem = problemWith(field, valueOf(field));
  mark(input, problem);
  return problem;
}

function checkConsent() {
  if (!$('consent')) return '';
  const problem = $('consent').checked ? '' : texts.noConsent;
  mark($('consent'), problem);
  return problem;
}

function mark(input, problem) {
  const note = $(`${input.id}-problem`);
  note.textContent = problem;
  if (problem) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

function showProblems(problems) {
  $('problems').hidden = problems.length === 0;
  $('problems-title').textContent = format(texts.problems, { n: problems.length });
  $('problems-list').replaceChildren(
    ...problems.map(({ id, problem }) => {
      const item = document.createElement('li');
      item.append(Object.assign(document.createElement('a'), { href: `#${id}`, textContent: problem }));
      return item;
    }),
  );
  if (problems.length > 0) $('problems').focus();
}

function showSent(values) {
  $('form').hidden = true;
  $('done').hidden = false;
  $('sent').replaceChildren(
    ...fields
      .filter(({ name }) => values[name])
      .map(({ name, label, type }) => {
        const row = document.createElement('div');
        const [term, value] = [document.createElement('dt'), document.createElement('dd')];
        term.textContent = label;
        value.textContent = type === 'password' ? HIDDEN_VALUE : values[name];
        row.append(term, value);
        return row;
      }),
  );
  $('done-title').focus();
}

$('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  if (isSending) return;
  const problems = [
    ...fields.map((field) => ({ id: field.id, problem: check(field) })),
    { id: 'consent', problem: checkConsent() },
  ].filter(({ problem }) => problem);
  showProblems(problems);
  if (problems.length > 0) return;
  const values = Object.fromEntries(new FormData($('form')));
  isSending = true;
  try {
    showSent(await send(values));
  } catch (error) {
    const { id = 'form' } = fields.find(({ name }) => name === error.field) ?? {};
    showProblems([{ id, problem: error.sentence ?? texts.failed }]);
  }
  isSending = false;
  /* #hasPlaces */
  showPlaces();
  /* /hasPlaces */
});

// An error appears when a field loses the focus, and disappears as soon as the value is valid.
for (const field of fields) {
  $(field.id).addEventListener('blur', () => $(field.id).value && check(field));
  $(field.id).addEventListener('input', () => $(field.id).hasAttribute('aria-invalid') && check(field));
}
$('consent')?.addEventListener('change', checkConsent);
$('problems-list').addEventListener('click', (event) => {
  const target = event.target.closest('a');
  if (!target) return;
  event.preventDefault();
  $(target.hash.slice(1)).focus();
});
/* #hasPlaces */

async function showPlaces() {
  const left = await placesLeft();
  if (left === undefined) return;
  $('places').textContent = left > 0 ? format(texts.placesLeft, { n: left }) : texts.placesGone;
  $('again').hidden = left === 0;
  if ($('done').hidden && $('problems').hidden) $('form').hidden = left === 0;
}

showPlaces();
/* /hasPlaces */
/* #hasOwner */
showToOwner(
  entries,
  fields.map(({ name, label }) => [name, label]),
);
/* /hasOwner */
$('again').addEventListener('click', () => {
  $('form').reset();
  $('form').hidden = false;
  $('done').hidden = true;
  $(fields[0].id).focus();
});
