import { answers, csv, removeAnswer } from './answers.js';
import { download } from './files.js';
import { fields } from './rules.js';

const $ = (id) => document.getElementById(id);
const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

function entry(answer) {
  const item = document.createElement('li');
  const heading = Object.assign(document.createElement('h2'), { textContent: time.format(answer.at) });
  const list = document.createElement('dl');
  for (const { id, label } of fields) {
    if (!answer[id]) continue;
    const row = document.createElement('div');
    row.append(
      Object.assign(document.createElement('dt'), { textContent: label }),
      Object.assign(document.createElement('dd'), { textContent: answer[id] }),
    );
    list.append(row);
  }
  const remove = Object.assign(document.createElement('button'), { type: 'button', className: 'back', textContent: 'Remove' });
  remove.setAttribute('aria-label', `Remove the answer of ${heading.textContent}`);
  remove.addEventListener('click', () => {
    removeAnswer(answer.at);
    show();
    $('title').focus();
  });
  item.append(heading, list, remove);
  return item;
}

function show() {
  const list = answers();
  $('answers').replaceChildren(...list.map(entry));
  $('count').textContent = list.length === 1 ? '1 answer' : `${list.length} answers`;
  $('none').hidden = list.length > 0;
  $('export').hidden = list.length === 0;
}

$('export').addEventListener('click', () => download('answers.csv', csv(answers()), 'text/csv'));
show();
