import { compare, withRound } from './results.js';
import { load, save } from './store.js';
import { pace } from './timed.js';

const $ = (id) => document.getElementById(id);
const SHOWN = 5;
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });

/** Stores a finished round and shows the last ones, with every question and what was answered. */
export function showResults({ score, length: of, all }) {
  const rounds = withRound(load('rounds', []), { when: Date.now(), score, of, pace: pace() });
  save('rounds', rounds);
  $('comparison').textContent = compare(rounds);
  $('rounds').replaceChildren(
    ...rounds.slice(0, SHOWN).map((round) => {
      const item = document.createElement('li');
      const [bar, text] = [document.createElement('span'), document.createElement('span')];
      bar.className = 'share';
      bar.style.setProperty('--share', String(round.score / round.of));
      text.textContent = `${round.score} of ${round.of}, ${date.format(round.when)}${round.pace ? `, ${round.pace} s each` : ''}`;
      item.append(bar, text);
      return item;
    }),
  );
  $('answered').replaceChildren(
    ...all.map(({ question, right, given }) => {
      const row = document.createElement('tr');
      row.append(...[question, given || 'no answer', given === right ? 'right' : `no: ${right}`].map(cell));
      return row;
    }),
  );
}

const cell = (text) => Object.assign(document.createElement('td'), { textContent: text });
