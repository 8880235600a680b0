import { isCountdown } from '../../kit/occasions.ts';
import { shorten, titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

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

function minutesOf(number: number, unit: string): number {
  if (/^(?:h|st)/i.test(unit)) return number * 60;
  return /^s/i.test(unit) ? number / 60 : number;
}

function toMinutes(amount: string, unit: string): number {
  const minutes = minutesOf(Number(amount.replace(',', '.')), unit);
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

type Text =
  | `${'pomodoro' | 'countdown'}Timer`
  | `${'focus' | 'shortBreak' | 'longBreak'}${'' | 'Hint'}`
  | 'alternating'
  | 'counting'
  | 'countdownHint';
type Texts = Readonly<Record<Text, string>>;

function pomodoro({ main, short, long }: Lengths, texts: Texts) {
  const pause = (id: string, name: string, minutes: number, hint: string) =>
    ({ id, name, minutes, counts: false, hint }) as const;
  return [
    { id: 'focus', name: texts.focus, minutes: main[0] ?? 25, counts: true, hint: texts.focusHint },
    pause('short-break', texts.shortBreak, short, texts.shortBreakHint),
    pause('long-break', texts.longBreak, long, texts.longBreakHint),
  ];
}

function label(minutes: number): string {
  if (!Number.isInteger(minutes)) return `${Math.round(minutes * 60)} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

function countdown({ main }: Lengths, hint: string) {
  const lengths = [...new Set(main.length > 1 ? main : [...main, 5, 10, 25])].slice(0, 5);
  return lengths.map((minutes) => ({
    id: `countdown-${minutes}`,
    name: label(minutes),
    minutes,
    counts: true,
    hint,
  }));
}

export const timer: Kind<Text> = {
  name: 'timer',
  layers: {
    auto: ['shared/page', 'shared/storage', 'shared/texts', 'timer/base'],
    '5min': ['shared/offline', 'shared/tests', 'timer/5min'],
    '10min': ['shared/csv', 'shared/files', 'timer/10min'],
  },
  accent: '#d9442f',
  words: [
    ['pomodoros?', 5],
    ['timers?|zeituhr|eieruhr|minuteur|temporizador|kurzzeitwecker', 5],
    ['pomodoro[- ]?timer|tomato timer|egg timer|kitchen timer|focus timer|countdown timer', 6],
    [
      'countdown|count down|count(?:s|ing)? down|stop ?watch|stoppuhr|chrono(?:mètre|meter)?|cron[óô]metro|contagem regressiva|cuenta atrás|compte à rebours',
      4,
    ],
    ['focus sessions?|work sessions?|productivity clock', 3],
    ['focus', 1.5],
    ['(?:\\d+|five|ten|twenty)[- ]?min(?:ute)?s?|take a break|breaks', 1.5],
    ['when (?:\\d+ min\\p{L}*|the time) (?:are|is) (?:over|up)', 2],
  ],
  fits: (brief) => !isCountdown(brief),
  values(brief: Brief, texts: Texts) {
    const lengths = readLengths(brief.text);
    const alternates = POMODORO.test(brief.request);
    const fallback = alternates ? texts.pomodoroTimer : texts.countdownTimer;
    const title = titleOf(brief, /timer|uhr|countdown|clock|minuteur|temporizador/i, fallback);
    return {
      title,
      description: `${shorten(title, 60)}: ${alternates ? texts.alternating : texts.counting}`,
      alternates,
      intervals: alternates ? pomodoro(lengths, texts) : countdown(lengths, texts.countdownHint),
    };
  },
};
