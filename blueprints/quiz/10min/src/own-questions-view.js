import { addQuestion, ownQuestions, problemWith, removeQuestion } from './own-questions.js';

const $ = (id) => document.getElementById(id);

function show() {
  $('own-list').replaceChildren(
    ...ownQuestions().map(({ question }) => {
      const item = document.createElement('li');
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Remove' });
      button.setAttribute('aria-label', `Remove ${question}`);
      button.addEventListener('click', () => {
        removeQuestion(question);
        show();
        $('own-question').focus();
      });
      item.append(question, button);
      return item;
    }),
  );
}

$('own-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const fields = [...new FormData($('own-form'))].map(([name, value]) => [name, value.trim()]);
  const { question, note } = Object.fromEntries(fields);
  const answers = fields.filter(([name, value]) => name === 'answer' && value).map(([, value]) => value);
  const hasRight = fields.find(([name]) => name === 'answer')[1] !== '';
  const problem = hasRight ? problemWith({ question, answers }) : 'The right answer is missing.';
  $('own-news').textContent = problem || 'Added. The next round asks it too.';
  if (problem) return;
  addQuestion({ question, answers, note: note || 'A question of your own.' });
  $('own-form').reset();
  show();
  $('own-question').focus();
});
$('open-own').addEventListener('click', () => {
  $('own-news').textContent = '';
  show();
  $('own').showModal();
});
