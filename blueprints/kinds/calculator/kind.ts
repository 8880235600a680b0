import { pageLayers } from '../../kit/kinds.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

// A “tip calculator” would promise features that this one does not have; “Taschenrechner” is just another name.
const OWN_NAME = /^(?:scientific |pocket )?\p{L}*(?:calc|rechner)\p{L}*(?: scientifique| científica)?(?: app)?$/iu;

export const calculator: Kind = {
  name: 'calculator',
  layers: pageLayers('calculator', ['storage', 'texts'], 'calculator/tests'),
  accent: '#e2621b',
  words: [
    ['calculat[eo]rs?|calculatrice|taschenrechner|rechner|calculadora', 5],
    ['calculat(?:e|es|ing|ion)|arithmetic|add(?:s|ing)? numbers|do(?:es|ing)? sums', 3],
  ],
  values(brief: Brief, texts) {
    const scientific = /scientific|trigonometr|\bsin(?:e|us)?\b|wissenschaftlich|scientifique|científica/i.test(
      brief.request,
    );
    const title = titleOf(brief, OWN_NAME, (scientific ? texts.scientificTitle : texts.title) ?? '');
    return {
      title,
      description: `${title}: ${texts.description}`,
      scientific,
      decimalPoint: brief.lang === 'en' ? '.' : ',',
    };
  },
};
