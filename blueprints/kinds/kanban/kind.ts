import { pageLayers } from '../../kit/kinds.ts';
import { readEntries, readList } from '../../kit/lists.ts';
import { capitalize, titleOf, toTitle } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

const LABELS =
  'columns?|lists?|lanes?|stages?|status(?:es)?|phases?|spalten|listen|phasen|columnas|listas|fases|etapas|estados|colonnes|listes|étapes|colunas';
const MAX_COLUMNS = 7;

export const kanban: Kind<'kanbanBoard' | 'describes' | 'columns' | 'cards'> = {
  name: 'kanban',
  layers: pageLayers('kanban', ['storage', 'texts'], 'kanban/tests'),
  accent: '#0f766e',
  words: [
    ['kanban(?:[- ]?boards?)?|trello', 7],
    [
      '(?:task|project|scrum|sprint|agile|planning|story)[- ]?boards?|tablero (?:de|para) (?:tareas|proyecto)|tablero|aufgabentafel|quadro (?:de tarefas|kanban)|tableau (?:de tâches|kanban)',
      6,
    ],
    ['(?:board|tafel|brett|tablero|tableau|quadro)(?: \\p{L}+){0,4} (?:columns?|spalten|columnas|colonnes|colunas)', 6],
    ['(?:board|tablero|quadro|tableau) (?:for|para|pour|für|de) [^:.,]{1,30} ?:', 4],
    [
      '(?:drag|move|mover|arrastrar|arrastar|verschieben?|déplacer?)(?: \\p{L}+){0,2} (?:cards|karten|tarjetas|cartes|cartões)|(?:cards|karten|tarjetas|cartes|cartões) (?:verschieben|ziehen)',
      4,
    ],
    ['(?:to-?do|backlog)[,/ ]+(?:doing|in progress)', 6],
    ['boards? with columns|columns? (?:for|like|such as)|drag[- ](?:and|&|n)[- ]drop (?:cards|board)', 4],
  ],
  values(brief: Brief, texts) {
    const labelled = readList(brief.text, LABELS);
    const listed = (labelled.length > 1 ? labelled : readEntries(brief.text)).slice(0, MAX_COLUMNS);
    const columns = listed.length > 1 ? listed.map(capitalize) : texts.columns.split('; ');
    const tasks = readList(
      brief.text,
      'cards?|tasks?|items?|tickets?|aufgaben|tareas|tâches|tarefas|karten|tarjetas|cartes|cartões',
    );
    const last = columns.length - 1;
    const cards =
      tasks.length > 0
        ? tasks.map((text) => ({ column: 0, text: toTitle(text, brief.promptLang) || text }))
        : texts.cards.split('; ').map((text, index) => ({ column: [0, 0, Math.min(1, last), last][index] ?? 0, text }));
    const title = titleOf(brief, /board|kanban|tablero|quadro|tableau/i, texts.kanbanBoard);
    return {
      title,
      description: `${title}: ${texts.describes}`,
      columns,
      cards,
    };
  },
};
