import { LEVELS, SPEEDS } from './levels.js';
import { withScore } from './scores.js';
import { load, save } from './store.js';
/* #from10min */
import { dailyWalls } from './daily.js';
/* /from10min */

const $ = (id) => document.getElementById(id);
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const levels = { ...LEVELS };
/* #from10min */
levels[`Field of ${new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' }).format()}`] = dailyWalls(new Date());
/* /from10min */

/** The walls and the speed that the visitor chose. */
export const walls = () => levels[$('level').value];
export const speed = () => SPEEDS[$('speed').value];

const game = () => `${$('level').value}, ${$('speed').value.toLowerCase()}`;

function showScores() {
  const scores = load('scores', {})[game()] ?? [];
  $('scores-title').textContent = `Best of ${game()}`;
  $('scores').replaceChildren(
    ...scores.map(({ score, when }) => {
      const item = document.createElement('li');
      const points = Object.assign(document.createElement('strong'), { textContent: score });
      item.append(points, ` on ${date.format(when)}`);
      return item;
    }),
  );
  $('no-scores').hidden = scores.length > 0;
}

/** Puts a finished game into its list. */
export function keepScore(score) {
  const all = load('scores', {});
  save('scores', { ...all, [game()]: withScore(all[game()] ?? [], { score, when: Date.now() }) });
  showScores();
}

/** `changed` is called when another level was chosen, so that it can be seen before it is played. */
export function offerChoices(changed) {
  for (const [id, choices, usual] of [
    ['level', levels, 'Meadow'],
    ['speed', SPEEDS, 'Normal'],
  ]) {
    $(id).append(...Object.keys(choices).map((name) => new Option(name)));
    const stored = load(id, usual);
    $(id).value = Object.hasOwn(choices, stored) ? stored : usual;
    $(id).addEventListener('change', () => {
      save(id, $(id).value);
      showScores();
      changed();
    });
  }
  showScores();
}
