import { seededRandom } from '../../kit/artwork.ts';
import { readCurrency } from '../../kit/currency.ts';
import { pageLayers } from '../../kit/kinds.ts';
import { capitalize, titleOf, toTitle } from '../../kit/phrases.ts';
import type { Brief, Kind, Language, Values } from '../../kit/types.ts';

type Texts = Readonly<Record<string, string>>;

/** Returns the names of the weekdays, Monday first; the first of January 2024 was one. */
const weekdays = (lang: Language, weekday: 'long' | 'short') =>
  times(7, (day) => capitalize(new Intl.DateTimeFormat(lang, { weekday }).format(new Date(2024, 0, day + 1))));
const fill = (text = '', values: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
const PLACE = /(?<!\p{L})(?:in|for|für|à|en|de|em)\s+(\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})/u;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Returns sample weather, derived from the name of a place. Temperatures in °C. */
function weather(place: string, lang: Language, texts: Texts): Values {
  const random = seededRandom(place);
  const mean = 8 + Math.round(random() * 14);
  const swing = 4 + Math.round(random() * 3);
  const hourly = times(
    24,
    (hour) => Math.round((mean + swing * Math.sin(((hour - 9) / 24) * 2 * Math.PI) + random() * 1.4) * 10) / 10,
  );
  const now = 14;
  return {
    lineTitle: texts.temperature ?? '',
    barsTitle: texts.rain ?? '',
    rangesTitle: texts.nextDays ?? '',
    periods: [
      {
        days: 0,
        numbers: [
          {
            label: fill(texts.skyAt, {
              sky: (texts.skies ?? '').split(', ')[Math.floor(random() * 4)] ?? '',
              time: `${now}:00`,
            }),
            value: hourly[now] ?? mean,
            text: '',
          },
          { label: texts.feels ?? '', value: (hourly[now] ?? mean) - 1, text: '' },
          { label: texts.wind ?? '', value: 0, text: `${6 + Math.round(random() * 18)} km/h` },
          { label: texts.humidity ?? '', value: 0, text: `${45 + Math.round(random() * 35)} %` },
        ],
      },
    ],
    line: { start: now, labels: times(24, (hour) => `${String(hour).padStart(2, '0')}:00`), values: hourly },
    bars: {
      labels: weekdays(lang, 'short'),
      values: times(7, () => Math.round(random() ** 2 * 14) + 1),
    },
    ranges: weekdays(lang, 'long').map((label) => {
      const low = mean - swing + Math.round(random() * 4 - 2);
      return { label, low, high: low + swing + 2 + Math.round(random() * 4) };
    }),
    units: [
      { name: '°C', factor: 1, offset: 0, after: '°' },
      { name: '°F', factor: 1.8, offset: 32, after: '°' },
    ],
  };
}

/** Returns sample sales, derived from the title of the dashboard. */
function sales(title: string, { text, lang }: Brief, texts: Texts): Values {
  const random = seededRandom(title);
  const daily = times(30, (day) => Math.round((2400 + day * 45 + (day % 7 > 4 ? -700 : 0) + random() * 900) / 10) * 10);
  const returning = 28 + Math.round(random() * 20);
  const numbersOf = (days: number) => {
    const total = daily.slice(-days).reduce((sum, value) => sum + value, 0);
    return [
      { label: texts.revenue ?? '', value: total, text: '' },
      { label: texts.daily ?? '', value: total / days, text: '' },
      { label: texts.orders ?? '', value: 0, text: String(Math.round(total / 38)) },
      { label: texts.returning ?? '', value: 0, text: `${returning} %` },
    ];
  };
  const byProduct = /produ[ck]t|artikel|artículo|article/i.test(text);
  const currency = readCurrency(text, lang);
  return {
    lineTitle: texts.perDay ?? '',
    barsTitle: texts.weekdays ?? '',
    rangesTitle: (byProduct ? texts.byProduct : texts.byRegion) ?? '',
    periods: [7, 30].map((days) => ({ days, numbers: numbersOf(days) })),
    line: { start: 29, labels: times(30, (day) => fill(texts.day, { n: String(day + 1) })), values: daily },
    bars: {
      labels: weekdays(lang, 'short'),
      values: times(7, (index) => Math.round((index > 4 ? 30 : 55) + random() * 30)),
    },
    ranges: ((byProduct ? texts.products : texts.regions) ?? '').split(', ').map((label) => {
      const low = 200 + Math.round(random() * 300);
      return { label, low, high: low + 300 + Math.round(random() * 600) };
    }),
    units: [{ name: currency, factor: 1, offset: 0, currency }],
  };
}

export const dashboard: Kind = {
  name: 'dashboard',
  layers: pageLayers('dashboard', ['storage', 'texts', 'chart'], 'dashboard/tests'),
  accent: '#2f6fde',
  words: [
    ['dashboards?|tablero|panel de (?:control|datos|ventas)|übersicht|tableau de bord|painel', 5],
    ['weather|wetter\\p{L}*|météo|clima|forecast|previsão do tempo', 4],
    ['charts?|graphs?|analytics|statistics|metrics|diagramme?', 3],
  ],
  values(brief: Brief, texts) {
    const { name, head, topic, request, text, lang, promptLang } = brief;
    const isWeather =
      /weather|wetter|météo|clima|forecast|temperat|warm|tempo\b/i.test(request) ||
      !/sales|revenue|business|analytics|shop|orders|finance|marketing|metrics|expense|budget|verkauf|umsatz|ventas|vendas|ventes/i.test(
        request,
      );
    const place = PLACE.exec(text)?.[1] ?? '';
    const noun = titleOf({ name, head, promptLang }, /\s(?:dashboard|tracker|forecast)$/i, '');
    const subject = toTitle(topic, promptLang);
    const title =
      isWeather && place
        ? name || fill(texts.weatherTitle, { place })
        : noun || (subject ? fill(texts.titleOf, { topic: subject }) : (texts.title ?? ''));
    return {
      title,
      description: `${title}: ${texts.description}`,
      ...(isWeather ? weather(place || title, lang, texts) : sales(title, brief, texts)),
    };
  },
};
