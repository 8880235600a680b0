import { $ } from './dom.js';
import { draw } from './draw.js';
import { Game, WIDTH } from './game.js';
import { turnOf } from './shell.js';
import { runStage } from './stage.js';

const HEADINGS = { left: -1, right: 1 };
const stage = runStage(() => new Game(), draw);

document.addEventListener('keydown', (event) => {
  const heading = HEADINGS[turnOf(event)];
  if (!heading || !stage.playing) return;
  event.preventDefault();
  stage.game.heading = heading;
});
document.addEventListener('keyup', (event) => {
  if (HEADINGS[turnOf(event)] === stage.game.heading) stage.game.heading = 0;
});
// A mouse steers from anywhere, a finger from wherever it began.
document.addEventListener('pointermove', ({ clientX }) => {
  const { left, width } = $('board').getBoundingClientRect();
  if (stage.playing) stage.game.movePaddle(((clientX - left) / width) * WIDTH);
});
