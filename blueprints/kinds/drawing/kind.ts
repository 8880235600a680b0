import { pageLayers } from '../../kit/kinds.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

const PIXEL = /pixel|p[ií]xel|sprite|8-?bit|(?<!\d)\d{1,2} ?[x×] ?\d{1,2}(?!\d)/iu;
const NOUN = /pixel|draw|paint|sketch|board|zeichen\p{L}|malpro|dibu|piz|dess|desen|quadro/iu;
const SIZE = /(?<!\d)(\d{1,2}) ?(?:[x×]|by) ?\d{1,2}(?!\d)/iu;

export const drawing: Kind<'pixelTitle' | 'boardTitle' | 'about'> = {
  name: 'drawing',
  layers: pageLayers('drawing', ['storage', 'texts', 'files', 'dom', 'studio']),
  accent: '#7c3aed',
  words: [
    ['(?:pixel[- ]?art|sprite|pixel)[- ]?(?:editor|drawing|painter|maker|studio|canvas|app)?', 6],
    ['(?:paint|drawing|sketch)[- ]?(?:editor|board|apps?|tools?|pad|book|programs?|canvas)', 6],
    ['drawing|paint(?:ing)?|sketching|white ?board|doodl(?:e|ing)|draw|leinwand|kritzeln', 4],
    ['zeichen[- ]?(?:brett|programm|app|tool|fläche)|zeichnen|mal(?:[- ]?(?:programm|app|buch)|en)', 5],
    ['dibuj(?:o|ar)|pizarra|lienzo|dessin(?:er)?|tableau blanc|desenh(?:o|ar)|quadro branco|pintura', 5],
  ],
  values(brief: Brief, texts) {
    const isPixel = PIXEL.test(brief.request);
    const fallback = isPixel ? texts.pixelTitle : texts.boardTitle;
    const title = titleOf(brief, NOUN, fallback);
    const cells = isPixel ? Math.min(64, Math.max(4, Number(SIZE.exec(brief.text)?.[1] ?? 16))) : 0;
    const maxWidth = isPixel ? 4 : 60;
    return { title, description: `${title}: ${texts.about}`, cells, maxWidth };
  },
};
