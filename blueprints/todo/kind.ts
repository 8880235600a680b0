import { readList } from '../kit/lists.ts';
import { capitalize, titleOf } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';

const LABELS =
  'items?|entries|tasks?|to-?dos?|todos|chores|groceries|things|list|(?:shopping|grocery|packing|bucket|to-?do) list|liste|aufgaben|einkaufsliste|tâches|tareas|lista';

const SHOPPING = /shopping|grocer|einkauf|courses|compra/i;
const PACKING = /packing|travel|trip|packliste/i;

/** The entries of a new list when the prompt names none: they explain the page. */
const STARTERS = {
  shopping: ['Bread', 'Apples', 'Coffee'],
  packing: ['Passport', 'Phone charger', 'Toothbrush', 'A good book'],
  tasks: ['Add your first task above', 'Tick this one off', 'Click a text to change it'],
};

export const todo: Kind = {
  name: 'todo',
  layers: {
    auto: ['shared/page', 'shared/storage', 'todo/base'],
    '5min': ['shared/offline', 'shared/tests', 'todo/5min'],
    '10min': ['todo/10min'],
  },
  accent: '#3556c9',
  words: [
    ['to[- ]?dos?|to[- ]?do[- ]?(?:lists?|lsit|app)', 5],
    ['(?:shopping|grocery|packing|bucket|wish|task|check|chore|reading)[- ]?lists?', 5],
    ['task (?:manager|tracker|app|planner)|habit tracker|reminders?', 4],
    [
      '(?:aufgaben|einkaufs|to-?do-|pack|check|wunsch)-?liste|liste (?:des?|à) (?:tâches|courses|faire|voyage)|lista de (?:tareas|tarefas|compras?|la compra|verificação|afazeres)',
      5,
    ],
    ['tasks?|chores|aufgaben|tâches|tareas|tarefas|groceries', 3],
    ['(?:list|liste|lista)(?=:| with (?:items|entries)| mit)|^(?:my |simple )?lists?', 3],
    [
      'what i (?:have|need) to do|tick (?:it|them|things) off|things to do|packing|(?:lo|o) que (?:tengo|preciso)|listas? de afazeres|einkäufe|erledigen|cosas pendientes',
      3,
    ],
  ],
  values(brief: Brief) {
    const entries = readList(brief.text, LABELS).map(capitalize);
    const shopping = SHOPPING.test(brief.request);
    const packing = PACKING.test(brief.request);
    const fallback = shopping ? 'Shopping List' : packing ? 'Packing List' : 'To-Do List';
    const title = titleOf(brief, /list|task|tracker|planner|tareas|tâches|aufgaben/i, fallback);
    return {
      title,
      description: `${title}: add, complete, filter and clear tasks; the list is stored in your browser.`,
      entry: shopping || packing ? 'item' : 'task',
      anEntry: shopping || packing ? 'an item' : 'a task',
      entries: entries.length > 0 ? entries : STARTERS[shopping ? 'shopping' : packing ? 'packing' : 'tasks'],
    };
  },
};
