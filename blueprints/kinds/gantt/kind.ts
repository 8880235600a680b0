import { pageLayers } from '../../kit/kinds.ts';
import { readList, splitList } from '../../kit/lists.ts';
import { capitalize, titleOf, toTitle } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

const LABELS =
  'tasks?|phases?|steps?|stages?|milestones?|aufgaben|phasen|schritte|meilensteine|tareas|fases|etapas|hitos|tâches|étapes|jalons|tarefas|marcos';
const TITLE = /gantt|timeline|plan|roadmap|schedule|zeit|cronograma|calendrier|planning/i;
const LENGTH =
  /[\s:(–-]*(\d{1,3}) ?(?:(days?|tagen?|tage?|días?|dias?|jours?|d)|(weeks?|wochen?|semanas?|semaines?|w)|(?:months?|monaten?|monate?|mes(?:es)?|mois|mês))\)?$/iu;

/** Returns a task and its length in days, a week unless the text ends with another one: "design 2 weeks". */
function readTask(text: string): { name: string; days: number } {
  const [whole = '', count, day, week] = LENGTH.exec(text) ?? [];
  const weekOrMonth = week ? 7 : 30;
  const unit = day ? 1 : weekOrMonth;
  return {
    name: capitalize(text.slice(0, text.length - whole.length)),
    days: count ? Math.max(1, Number(count)) * unit : 7,
  };
}

export const gantt: Kind = {
  name: 'gantt',
  layers: pageLayers('gantt', ['dom', 'tool', 'texts', 'storage', 'entries', 'dates']),
  accent: '#4f46e5',
  words: [
    ['gantt(?:[- ]?(?:charts?|diagramme?|diagrama|plan))?|diagram(?:me|a) de gantt|balkenplan', 7],
    [
      '(?:project|release|product) (?:timelines?|plans?|planner|schedules?|roadmaps?)|projektplan\\p{L}*|zeitplan\\p{L}*|zeitstrahl',
      5,
    ],
    ['cronograma|plan(?:ning|ificación)? d[eu] (?:projet|proyecto)|calendrier de projet|roadmap', 5],
    ['timelines?|milestones?|meilensteine|balkendiagramm mit phasen', 3],
  ],
  values(brief: Brief, texts) {
    const listed = readList(brief.text, LABELS);
    const after = /:\s*([^.\n]*,[^.\n]+)/.exec(brief.text)?.[1] ?? '';
    const tasks = (listed.length > 1 ? listed : splitList(after)).map(readTask).filter(({ name }) => name);
    const named = {
      name: brief.name || toTitle(brief.topic, brief.promptLang),
      promptLang: brief.promptLang,
      head: brief.head.replace(/ (?:als|as|como|comme) .*/i, ''),
    };
    const title = titleOf(named, TITLE, texts.title ?? '');
    return {
      title,
      description: `${title}: ${texts.description}`,
      glyph: 'M6 10h11M11 16h11M17 22h9',
      files: [
        { path: 'src/tasks.js', contents: 'the tasks of a first visit, and where they lie on the time axis' },
        { path: 'src/entries.js', contents: 'the tasks, stored in the browser, with undo' },
        { path: 'src/main.js', contents: 'draws the bars and moves them' },
      ],
      tasks: tasks.length > 0 ? tasks : (texts.usual ?? '').split(', ').map(readTask),
    };
  },
};
