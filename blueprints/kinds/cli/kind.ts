import { readNoun } from '../../kit/counts.ts';
import { capitalize, slug } from '../../kit/phrases.ts';
import type { Kind } from '../../kit/types.ts';

/** The nouns that have translations, in the order of the text `nouns`. */
const NOUNS = ['tasks', 'todos', 'books', 'notes', 'movies', 'recipes', 'expenses', 'contacts', 'links', 'projects'];

export const cli: Kind<'nouns' | 'titleText' | 'summary' | 'manages' | 'starter'> = {
  name: 'cli',
  layers: {
    auto: ['shared/page', 'cli/manual', 'cli/base'],
    '5min': ['shared/csv', 'cli/5min'],
    '10min': ['cli/10min'],
  },
  accent: '#2e7d32',
  words: [
    [
      'command[- ]?line(?: (?:tool|app|program|utility|interface))?|cli(?: tool| app)?|terminal (?:tool|app|program)|kommandozeilen\\p{L}*|ligne de commande|línea de comandos',
      8,
    ],
    ['(?:shell|bash|node(?:\\.?js)?) (?:script|tool)|console app', 6],
  ],
  values({ name, request }, texts) {
    const noun = readNoun(request, 'tasks');
    const command = slug(name, noun);
    const shown = texts.nouns.split('|')[NOUNS.indexOf(noun)] ?? noun;
    const tell = (text: string) => text.replaceAll('{noun}', shown).replace('{command}', command);
    return {
      title: name || capitalize(tell(texts.titleText)),
      description: tell(texts.summary),
      manages: tell(texts.manages),
      starter: tell(texts.starter),
      command,
      noun,
    };
  },
};
