import { readList } from '../kit/lists.ts';
import { titleOf } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';

const welcome = (title: string) => `# Welcome to ${title}

Write on the left, read on the right. Everything stays **in this browser**.

- [x] Open the page
- [ ] Write a first note
- [ ] Find it again with the search

## A short reminder

Words can be *slanted*, **strong** or \`code\`. A line of its own makes a paragraph.

> Quotes begin with a sign.

1. Lists are numbered
2. or dotted
`;

export const notes: Kind = {
  name: 'notes',
  layers: {
    auto: ['shared/page', 'shared/storage', 'notes/base'],
    '5min': ['shared/tests', 'shared/files', 'notes/5min'],
    '10min': ['shared/options', 'shared/docs', 'notes/10min'],
  },
  accent: '#9a5b13',
  words: [
    ['notes?|note[- ]?(?:taking|book|pad)|notebook|notepad|notizen|notizbuch|bloc-?notes|notas', 5],
    ['markdown|text editor', 4],
    ['journal|diary|tagebuch|diario|memos?', 4],
    ['writing app|write down|jot', 3],
  ],
  values(brief: Brief) {
    const title = titleOf(brief, /not[ei]|notas|journal|diary|tagebuch|diario|markdown|editor/i, 'Notes');
    const listed = readList(brief.text, 'notes|entries|notizen|notas').map((entry) => `# ${entry}\n`);
    return {
      title,
      description: `${title}: write in Markdown, see the result beside it, find it again.`,
      notes: [welcome(title), ...listed],
    };
  },
};
