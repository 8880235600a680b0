/* #invites */
import { addAnswer, readAnswers, removeAnswer, sentenceFor } from './answers.js';
/* /invites */
import { toCalendar } from './calendar.js';
import { $, make } from './dom.js';
import { beginOf, event, isWholeDay } from './event.js';
import { download } from './files.js';
import { format, lang, texts } from './texts.js';

const begin = beginOf(event);
const UNITS = [
  [texts.days, 86_400_000, Infinity],
  [texts.hours, 3_600_000, 24],
  [texts.minutes, 60_000, 60],
  [texts.seconds, 1000, 60],
];
/* #invites */
const form = $('rsvp');
/* /invites */

function showCountdown() {
  const left = begin - Date.now();
  if (left <= 0) return $('countdown').replaceChildren(texts.begun);
  const parts = UNITS.map(([unit, length, most]) => {
    const n = Math.floor(left / length) % most;
    return make('span', {}, make('b', {}, n.toLocaleString(lang)), format(unit, { n }));
  });
  $('countdown').replaceChildren(...parts);
  setTimeout(showCountdown, 1000 - (Date.now() % 1000));
}

/* #invites */
/** Does something with the answers, and shows those that this visitor may see. */
async function change(act, done) {
  try {
    await act();
    done?.();
    showAnswers(await readAnswers());
  } catch (error) {
    $('status').textContent = sentenceFor(error);
  }
}

function showAnswers(answers) {
  $('answers').hidden = answers.length === 0;
  const rows = answers.map((answer) => {
    const text = format(answer.comes ? texts.coming : texts.absent, { name: answer.name, n: answer.people ?? 1 });
    const button = make('button', { type: 'button', ariaLabel: `${texts.remove}: ${answer.name}` }, '×');
    button.addEventListener('click', () => change(() => removeAnswer(answer), () => form.elements.name.focus()));
    return make('li', {}, answer.note ? `${text}: ${answer.note}` : text, button);
  });
  $('list').replaceChildren(...rows);
}

form.addEventListener('change', () => {
  $('people').hidden = form.elements.comes.value === 'no';
});
form.addEventListener('submit', (submitted) => {
  submitted.preventDefault();
  const { name, comes, people, note } = Object.fromEntries(new FormData(form));
  const answer = { name, comes: comes === 'yes', people: Number(people), note };
  change(
    () => addAnswer(answer),
    () => {
      $('status').textContent = format(texts.thanks, { name });
      form.reset();
      $('people').hidden = false;
    },
  );
});
readAnswers().then(showAnswers, () => {});
/* /invites */
$('calendar').addEventListener('click', () => download('invitation.ics', toCalendar(event, begin), 'text/calendar'));

const style = isWholeDay(event) ? { dateStyle: 'full' } : { dateStyle: 'full', timeStyle: 'short' };
$('date').textContent = new Intl.DateTimeFormat(lang, style).format(begin);
showCountdown();
