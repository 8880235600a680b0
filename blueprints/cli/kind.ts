import { readNoun } from '../kit/nouns.ts';
import { slug, toTitle } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';

export const cli: Kind = {
  name: 'cli',
  layers: {
    auto: ['shared/page', 'cli/base'],
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
  values({ name, request }: Brief) {
    const noun = readNoun(request, 'tasks');
    const command = slug(name, noun);
    const title = name || `${toTitle(noun)} on the command line`;
    return {
      title,
      description: `${command}, a small command that stores ${noun} in a file: add, list, complete and remove.`,
      command,
      noun,
    };
  },
};
