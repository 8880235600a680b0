import { titleOf } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';

export const snake: Kind = {
  name: 'snake',
  layers: {
    auto: ['shared/page', 'shared/storage', 'snake/base'],
    '5min': ['shared/offline'],
    '10min': ['shared/tests', 'snake/tests'],
  },
  accent: '#b3261e',
  words: [
    ['snake(?: game)?|snake-spiel|schlangenspiel|serpiente', 6],
    ['(?:retro|arcade|browser|simple|small|mini|8-?bit|canvas)(?: (?:retro|arcade|browser))? games?', 4],
  ],
  values(brief: Brief) {
    const title = titleOf(brief, /snake|game/i, 'Snake');
    return { title, description: `${title}: steer the snake, eat, grow, and avoid your own tail.` };
  },
};
