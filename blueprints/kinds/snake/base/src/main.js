import { $ } from './dom.js';
import { draw } from './draw.js';
import { Game } from './game.js';
import { onTurn } from './shell.js';
import { runStage } from './stage.js';

const stage = runStage(() => new Game(), draw);
// A finger that stays on the field steers on.
$('board').dataset.repeat = 'true';
onTurn($('board'), (direction) => stage.playing && stage.game.turn(direction));
