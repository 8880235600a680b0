import { seeded } from '../kit/artwork.ts';
import { titleOf, toTitle } from '../kit/phrases.ts';
import type { Brief, Kind, Values } from '../kit/types.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const PLACE = /(?<!\p{L})(?:in|for|für|à|en|de)\s+(\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})/u;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Returns sample weather, derived from the name of a place. Temperatures in °C. */
function weather(place: string): Values {
  const random = seeded(place);
  const mean = 8 + Math.round(random() * 14);
  const swing = 4 + Math.round(random() * 3);
  const hourly = times(
    24,
    (hour) =>
      Math.round((mean + swing * Math.sin(((hour - 9) / 24) * 2 * Math.PI) + random() * 1.4) * 10) / 10,
  );
  const now = 14;
  return {
    lineTitle: 'Temperature today',
    barsTitle: 'Rain this week, in millimetres',
    rangesTitle: 'The next seven days',
    numbers: [
      {
        label: `${['Clear sky', 'A few clouds', 'Light wind', 'Mild and dry'][Math.floor(random() * 4)]} at ${now}:00`,
        value: hourly[now] ?? mean,
        text: '',
      },
      { label: 'Feels like', value: (hourly[now] ?? mean) - 1, text: '' },
      { label: 'Wind', value: 0, text: `${6 + Math.round(random() * 18)} km/h` },
      { label: 'Humidity', value: 0, text: `${45 + Math.round(random() * 35)} %` },
    ],
    line: { start: now, labels: times(24, (hour) => `${String(hour).padStart(2, '0')}:00`), values: hourly },
    bars: {
      labels: DAYS.map((day) => day.slice(0, 2)),
      values: DAYS.map(() => Math.round(random() ** 2 * 14) + 1),
    },
    ranges: DAYS.map((label) => {
      const low = mean - swing + Math.round(random() * 4 - 2);
      return { label, low, high: low + swing + 2 + Math.round(random() * 4) };
    }),
    units: [
      { name: '°C', factor: 1, offset: 0, before: '', after: '°' },
      { name: '°F', factor: 1.8, offset: 32, before: '', after: '°' },
    ],
  };
}

/** Returns sample sales, derived from the title of the dashboard. */
function sales(title: string): Values {
  const random = seeded(title);
  const daily = times(
    30,
    (day) => Math.round((2400 + day * 45 + (day % 7 > 4 ? -700 : 0) + random() * 900) / 10) * 10,
  );
  const total = daily.reduce((sum, value) => sum + value, 0);
  return {
    lineTitle: 'The last thirty days',
    barsTitle: 'Orders by weekday',
    rangesTitle: 'Slowest and best day by region',
    numbers: [
      { label: 'Revenue in thirty days', value: total, text: '' },
      { label: 'Daily average', value: total / 30, text: '' },
      { label: 'Orders', value: 0, text: String(Math.round(total / 38)) },
      { label: 'Returning customers', value: 0, text: `${28 + Math.round(random() * 20)} %` },
    ],
    line: { start: 29, labels: times(30, (day) => `Day ${day + 1}`), values: daily },
    bars: {
      labels: DAYS.map((day) => day.slice(0, 2)),
      values: DAYS.map((_, index) => Math.round((index > 4 ? 30 : 55) + random() * 30)),
    },
    ranges: ['North', 'East', 'South', 'West', 'Online'].map((label) => {
      const low = 200 + Math.round(random() * 300);
      return { label, low, high: low + 300 + Math.round(random() * 600) };
    }),
    units: [{ name: '$', factor: 1, offset: 0, before: '$', after: '' }],
  };
}

export const dashboard: Kind = {
  name: 'dashboard',
  layers: {
    auto: ['shared/page', 'shared/storage', 'shared/chart', 'dashboard/base'],
    '5min': ['shared/offline'],
    '10min': ['shared/tests', 'dashboard/tests'],
  },
  accent: '#2f6fde',
  words: [
    ['dashboards?|tablero de datos|übersicht|tableau de bord', 5],
    ['weather|wetter|météo|clima|forecast', 4],
    ['charts?|graphs?|analytics|statistics|metrics|diagramme?', 3],
  ],
  values({ name, head, topic, request, text }: Brief) {
    const isWeather =
      /weather|wetter|météo|clima|forecast|temperature/i.test(request) ||
      !/sales|revenue|business|analytics|shop|orders|finance|marketing|metrics|expense|budget/i.test(request);
    const place = PLACE.exec(text)?.[1] ?? '';
    const noun = titleOf({ name, head }, /\s(?:dashboard|tracker|forecast)$/i, '');
    const subject = toTitle(topic);
    const title =
      isWeather && place
        ? name || `Weather in ${place}`
        : noun || (subject ? `${subject} Dashboard` : 'Dashboard');
    return {
      title,
      description: `${title}: numbers, a day’s curve and a week at a glance, with sample data.`,
      note: 'This is sample data. Replace it in src/data.js.',
      ...(isWeather ? weather(place || title) : sales(title)),
    };
  },
};
