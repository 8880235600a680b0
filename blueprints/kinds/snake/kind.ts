import { files, GAME, isForOne, numbers, pageLayers } from '../../kit/kinds.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Kind } from '../../kit/types.ts';

export const snake: Kind<'title' | 'about' | 'score' | 'best'> = {
  name: 'snake',
  layers: pageLayers('snake', [...GAME, 'arcade'], 'snake/tests'),
  accent: '#b3261e',
  words: [
    ['snake(?: game)?|snake-spiel|schlangenspiel|serpiente|(?:jeu (?:du|de) )?serpent|cobrinha', 6],
    ['(?:old )?nokia game|eats? (?:dots|apples|food) and (?:grows?|gets? longer)|schlange', 5],
    ['(?:retro|arcade|browser|simple|small|mini|8-?bit|canvas)(?: (?:retro|arcade|browser))? games?', 4],
  ],
  fits: isForOne,
  values(brief, texts) {
    const title = titleOf(brief, /snake|game|schlange|serp|cobrinha/i, texts.title);
    return {
      title,
      description: `${title}: ${texts.about}`,
      width: 672,
      height: 672,
      pad: true,
      numbers: numbers({ score: texts.score, best: texts.best }),
      files: files({
        'arcade.css': 'the stage of the game',
        'src/draw.js': 'draws the game on the canvas',
        'src/stage.js': 'plays, pauses and ends games',
      }),
    };
  },
};
