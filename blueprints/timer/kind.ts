import { shorten, titleOf } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';

const LENGTH =
  /(\d{1,3}(?:[.,]\d)?)[\s-]*(sec(?:ond)?s?|sekunden?|secondes?|segundos?|h(?:ou)?rs?|hours?|stunden?|heures?|horas?|min(?:ute)?s?|minuten|minutos?)(?!\p{L})/giu;
const BREAK =
  /^[\s-]*(?:long |short |lange |kurze )?(?:break|pause|rest|descanso)|(?:break|pause|rest|descanso)s?(?: of| de| von|:)?\s*$/i;
const LONG = /long|lang|larg/i;
const POMODORO = /pomodoro|tomato|focus|work sessions?|breaks?(?!\p{L})|pause|productivity|study/iu;

interface Lengths {
  main: number[];
  short: number;
  long: number;
}

function toMinutes(amount: string, unit: string): number {
  const number = Number(amount.replace(',', '.'));
  const minutes =
    /^s/i.test(unit) && !/^st/i.test(unit) ? number / 60 : /^(?:h|st)/i.test(unit) ? number * 60 : number;
  return Math.min(600, Math.max(0.1, Math.round(minutes * 100) / 100));
}

/** The lengths that a prompt names, in minutes, distinguished by the word "break" beside them; also "25/5". */
function readLengths(text: string): Lengths {
  const pair = /(?<!\d)(\d{1,3})\s?\/\s?(\d{1,2})(?!\d)/.exec(text);
  if (pair) return { main: [Number(pair[1]) || 25], short: Number(pair[2]) || 5, long: 15 };
  const lengths: Lengths = { main: [], short: 5, long: 15 };
  for (const match of text.matchAll(LENGTH)) {
    const minutes = toMinutes(match[1] ?? '', match[2] ?? '');
    const end = match.index + match[0].length;
    const after = text.slice(end, end + 14);
    const before = text.slice(Math.max(0, match.index - 20), match.index);
    const isLong = LONG.test(after) || (LONG.test(before) && !BREAK.test(after));
    if (!BREAK.test(after) && !BREAK.test(before)) lengths.main.push(minutes);
    else lengths[isLong ? 'long' : 'short'] = minutes;
  }
  return lengths;
}

function pomodoro({ main, short, long }: Lengths) {
  return [
    { id: 'focus', name: 'Focus', minutes: main[0] ?? 25, counts: true, hint: 'One thing at a time' },
    {
      id: 'short-break',
      name: 'Short break',
      minutes: short,
      counts: false,
      hint: 'Look away from the screen',
    },
    { id: 'long-break', name: 'Long break', minutes: long, counts: false, hint: 'Take a walk' },
  ];
}

const label = (minutes: number): string =>
  minutes < 1 || minutes % 1
    ? `${Math.round(minutes * 60)} s`
    : minutes % 60 === 0
      ? `${minutes / 60} h`
      : `${minutes} min`;

function countdown({ main }: Lengths) {
  const lengths = [...new Set(main.length > 1 ? main : [...main, 5, 10, 25])].slice(0, 5);
  return lengths.map((minutes) => ({
    id: `countdown-${minutes}`,
    name: label(minutes),
    minutes,
    counts: true,
    hint: 'Running',
  }));
}

export const timer: Kind = {
  name: 'timer',
  layers: {
    auto: ['shared/page', 'shared/storage', 'timer/base'],
    '5min': ['shared/offline', 'shared/tests', 'timer/5min'],
    '10min': ['shared/csv', 'shared/files', 'timer/10min'],
  },
  accent: '#d9442f',
  words: [
    ['pomodoros?', 5],
    ['timers?|zeituhr|eieruhr|minuteur|temporizador|kurzzeitwecker', 5],
    ['pomodoro[- ]?timer|tomato timer|egg timer|kitchen timer|focus timer|countdown timer', 6],
    ['countdown|count down|count(?:s|ing)? down|stop ?watch|stoppuhr|chrono(?:mètre|meter)|cronómetro', 4],
    ['focus sessions?|work sessions?|productivity clock', 3],
    ['focus', 1.5],
    ['(?:\\d+|five|ten|twenty)[- ]?min(?:ute)?s?', 1.5],
  ],
  values(brief: Brief) {
    const lengths = readLengths(brief.text);
    const alternates = POMODORO.test(brief.request);
    const fallback = alternates ? 'Pomodoro Timer' : 'Countdown Timer';
    const title = titleOf(brief, /timer|uhr|countdown|clock|minuteur|temporizador/i, fallback);
    const description = alternates
      ? `${shorten(title, 60)}: alternates focused work and breaks, and counts your sessions.`
      : `${shorten(title, 60)}: set a length, start it, and hear a chime at the end.`;
    return { title, description, alternates, intervals: alternates ? pomodoro(lengths) : countdown(lengths) };
  },
};
