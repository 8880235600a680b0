import { readList } from '../kit/lists.ts';
import { titleOf } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';

const welcome = (title: string) => `# Welcome to ${title}

Write on the left, read on the right. Everything stays **in this browser**.

- [x] Open the page
- [ ] Write a first note
- [ ] Find it again with the search

## Markdown in short

Text can be *italic*, **bold** or \`code\`. An empty line starts a new paragraph.

> Quotes begin with a \`>\`.

1. Lists are numbered
2. or bulleted
`;

export const notes: Kind = {
  name: 'notes',
  layers: {
    auto: ['shared/page', 'shared/storage', 'notes/base'],
    '5min': ['shared/offline'],
    '10min': ['shared/tests', 'notes/tests'],
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
      description: `${title}: write in Markdown, see the result beside it, and search your notes.`,
      notes: [welcome(title), ...listed],
    };
  },
};
