import { pageLayers } from '../../kit/kinds.ts';
import { readList } from '../../kit/lists.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

export const notes: Kind = {
  name: 'notes',
  layers: pageLayers('notes', ['storage', 'texts'], 'notes/tests'),
  accent: '#9a5b13',
  words: [
    ['notes?|note[- ]?(?:taking|book|pad)|notebook|notepad|notizen|notizbuch|bloc-?notes|notas', 5],
    ['markdown|text editor', 4],
    ['journal|diary|tagebuch|diario|memos?', 4],
    ['writing app|write down|jot', 3],
  ],
  values(brief: Brief, texts) {
    const title = titleOf(brief, /not[ei]|notas|journal|diary|tagebuch|diario|markdown|editor/i, texts.title ?? '');
    const listed = readList(brief.text, 'notes|entries|notizen|notas').map((entry) => `# ${entry}\n`);
    return {
      title,
      description: `${title}: ${texts.description}`,
      notes: [(texts.welcome ?? '').replace('{title}', () => title), ...listed],
    };
  },
};
