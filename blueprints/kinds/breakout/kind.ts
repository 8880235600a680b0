import { files, GAME, isForOne, numbers, pageLayers } from '../../kit/kinds.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Kind } from '../../kit/types.ts';

export const breakout: Kind<'title' | 'about' | 'score' | 'level' | 'lives' | 'best'> = {
  name: 'breakout',
  layers: pageLayers('breakout', [...GAME, 'arcade']),
  accent: '#e0457b',
  words: [
    ['break-?out|arkanoid|brick[- ]?(?:breaker|breaking|smasher)|break(?:ing)? (?:the )?bricks', 7],
    ['(?:casse|brise)[- ]?briques?|rompe ?ladrillos|quebra[- ]?(?:tijolos|blocos)', 7],
    ['romper (?:los )?ladrillos|casser (?:des|les) briques|quebrar (?:os )?(?:tijolos|blocos)', 7],
    ['paddle (?:and|&) ball|bounc(?:e|ing) (?:a |the )?ball', 5],
  ],
  fits: isForOne,
  values(brief, texts) {
    const title = titleOf(brief, /break|brick|arkanoid|brique|ladrillo|quebra/i, texts.title);
    const lives = /(?<!\d)([1-9]) (?:lives|leben|vidas|vies)/i.exec(brief.text)?.[1] ?? 3;
    return {
      title,
      description: `${title}: ${texts.about}`,
      width: 600,
      height: 700,
      pad: false,
      startLives: Number(lives),
      numbers: numbers({ score: texts.score, level: texts.level, lives: texts.lives, best: texts.best }),
      files: files({
        'arcade.css': 'the stage of the game',
        'src/draw.js': 'draws the game on the canvas',
        'src/stage.js': 'plays, pauses and ends games',
      }),
    };
  },
};
