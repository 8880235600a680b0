import { GAME, isForOne, numbers, pageLayers } from '../../kit/kinds.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Kind } from '../../kit/types.ts';

/** The side of the board that a prompt asks for: "5x5", from 3 to 6. */
function readSize(text: string): number {
  const [, rows, columns] = /(?<!\d)([3-6])\s?[x×*]\s?([3-6])(?!\d)/i.exec(text) ?? [];
  return rows && rows === columns ? Number(rows) : 4;
}

export const twenty48: Kind<'about' | 'score' | 'best'> = {
  name: 'twenty48',
  layers: pageLayers('twenty48', GAME),
  accent: '#c2410c',
  words: [
    ['2048(?:[- ](?:game|clone|puzzle|spiel))?|two thousand forty[- ]eight', 8],
    ['(?:number|tile)s?[- ](?:merging|sliding|merge|slide)(?: (?:puzzle|game))?|merge (?:the )?(?:tiles|numbers)', 6],
  ],
  fits: isForOne,
  values(brief, texts) {
    const title = titleOf(brief, /2048|tile|number|merge/i, '2048');
    return {
      title,
      description: `${title}: ${texts.about}`,
      size: readSize(brief.text),
      pad: true,
      numbers: numbers({ score: texts.score, best: texts.best }),
      files: [],
    };
  },
};
