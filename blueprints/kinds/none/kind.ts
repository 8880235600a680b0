import { pageLayers } from '../../kit/kinds.ts';
import { shorten } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

/** The variables that `npm start` reads to find a provider. */
const KEYS = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'OPENROUTER_API_KEY'];

/** The page for prompts that no starter fits. It says so first, and how to connect a model that can answer them. */
export const none: Kind<'noMatch' | 'lede' | 'nothing'> = {
  name: 'none',
  layers: pageLayers('none', []),
  accent: '#b4442a',
  words: [],
  values({ text }: Brief, texts) {
    return {
      title: texts.noMatch,
      description: texts.lede,
      request: shorten(text, 400) || texts.nothing,
      keys: KEYS.map((key) => ({ key })),
    };
  },
};
