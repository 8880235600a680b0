import { pageLayers } from '../../kit/kinds.ts';
import { capitalize, titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

const TITLE = /clock|time ?zone|uhr|zeitzonen|reloj|horari|horloge|fuseau|relógio|fuso/i;

export const clocks: Kind = {
  name: 'clocks',
  layers: pageLayers('clocks', ['dom', 'tool', 'texts', 'storage', 'entries']),
  accent: '#0e7490',
  words: [
    [
      'world[- ]?clocks?|world time|weltuhr(?:en)?|weltzeit\\p{L}*|reloj(?:es)? mundial(?:es)?|horloges? mondiales?|relógios? mundia(?:l|is)',
      6,
    ],
    ['time[- ]?zones?|zeitzonen?|zonas? horarias?|husos? horarios?|fuseaux? horaires?|fusos? horários?', 5],
    ['what time is it|wie spät|qué hora es|quelle heure|que horas são', 5],
    ['clocks?|uhren|uhr|relojes|reloj|horloges?|relógios?|meeting planner', 4],
  ],
  values(brief: Brief, texts) {
    const head = brief.head.replace(/ (?:de|d[eo]s|of) .*/iu, '');
    const title = titleOf({ ...brief, head }, TITLE, texts.title ?? '');
    const cities = readCities(brief.request);
    return {
      title,
      description: `${title}: ${texts.description}`,
      glyph: 'M16 9v7l5 3M16 5a11 11 0 1 1 0 22a11 11 0 1 1 0-22',
      files: [
        { path: 'src/cities.js', contents: 'the cities of a first visit, and those that can be found' },
        { path: 'src/zones.js', contents: 'times and differences of time zones' },
        { path: 'src/entries.js', contents: 'the cities, stored in the browser, with undo' },
        { path: 'src/main.js', contents: 'shows the clocks and plans meetings' },
      ],
      cities: cities.length > 0 ? cities : readCities(texts.cities ?? ''),
      others: Object.entries(OTHER_CITIES).map(([zone, names]) => ({ zone, names })),
    };
  },
};

/** Time zones (IANA) of cities whose name they do not have, and of cities with other names in other languages. */
const OTHER_CITIES: Readonly<Record<string, string>> = {
  'Europe/Berlin': 'München,Munich,Múnich,Munique,Hamburg,Frankfurt,Köln,Cologne,Stuttgart,Leipzig,Berlín,Berlim',
  'Europe/London': 'Londres,Manchester,Edinburgh,Glasgow',
  'Europe/Paris': 'Lyon,Marseille,Toulouse,Bordeaux,Nantes',
  'Europe/Madrid': 'Barcelona,Valencia,Sevilla,Madri',
  'Europe/Lisbon': 'Lisboa,Lissabon,Lisbonne,Porto',
  'Europe/Rome': 'Rom,Roma,Milan,Mailand,Milano,Milán,Milão',
  'Europe/Vienna': 'Wien,Viena,Vienne',
  'Europe/Zurich': 'Geneva,Genf,Genève,Ginebra,Genebra,Bern,Basel,Zurique',
  'Europe/Brussels': 'Brüssel,Bruxelles,Bruselas,Bruxelas',
  'Europe/Moscow': 'Moskau,Moscú,Moscou',
  'Europe/Athens': 'Athen,Atenas,Athènes',
  'Europe/Warsaw': 'Warschau,Varsovia,Varsovie,Varsóvia',
  'Europe/Prague': 'Prag,Praga',
  'Europe/Copenhagen': 'Kopenhagen,Copenhague',
  'Africa/Cairo': 'Kairo,El Cairo,Le Caire',
  'Africa/Johannesburg': 'Cape Town,Kapstadt,Le Cap,Ciudad del Cabo',
  'Asia/Tokyo': 'Tokio,Tóquio,Osaka,Kyoto',
  'Asia/Seoul': 'Seúl,Séoul,Seul',
  'Asia/Shanghai': 'Beijing,Peking,Pekín,Pékin,Pequim,Shenzhen,Xangai',
  'Asia/Singapore': 'Singapur,Singapour,Singapura,Cingapura',
  'Asia/Kolkata': 'Mumbai,Bombay,Delhi,New Delhi,Neu-Delhi,Nueva Delhi,Bangalore,Bengaluru,Chennai,Hyderabad,India',
  'Australia/Melbourne': 'Canberra',
  'America/New_York': 'Nueva York,Nova York,Nova Iorque,NYC,Washington,Boston,Miami,Atlanta,Philadelphia',
  'America/Chicago': 'Houston,Dallas,Austin,Minneapolis',
  'America/Denver': 'Salt Lake City',
  'America/Los_Angeles': 'San Francisco,Seattle,San Diego,Las Vegas,Portland,LA',
  'America/Toronto': 'Montreal,Ottawa,Quebec',
  'America/Mexico_City': 'Ciudad de México,Mexiko-Stadt,Cidade do México,Mexico',
  'America/Sao_Paulo': 'Rio de Janeiro,Rio,Brasília',
};

/** Folds accents and case letter by letter, so that positions stay those of the text. */
const fold = (text: string) =>
  text.replace(/[^\p{ASCII}]/gu, (char) => (char.length > 1 ? char : (char.normalize('NFD')[0] ?? char))).toLowerCase();

const zones = new Map(
  [
    ...Intl.supportedValuesOf('timeZone')
      .filter((zone) => /^(?:Africa|America|Asia|Atlantic|Australia|Europe|Pacific)\//.test(zone))
      .map((zone) => [zone.split('/').at(-1)?.replaceAll('_', ' ') ?? '', zone] as const),
    ...Object.entries(OTHER_CITIES).flatMap(([zone, names]) => names.split(',').map((name) => [name, zone] as const)),
  ].map(([name, zone]) => [fold(name), zone]),
);
const NAMES = [...zones.keys()].sort((a, b) => b.length - a.length).join('|');

/** Returns the cities that a text names, as written there, with their time zones. */
function readCities(text: string): { name: string; zone: string }[] {
  const found = [...fold(text).matchAll(new RegExp(`(?<!\\p{L})(?:${NAMES})(?!\\p{L})`, 'gu'))].map((match) => ({
    name: text
      .slice(match.index, match.index + match[0].length)
      .split(' ')
      .map((word) => (word.length > 2 ? capitalize(word) : word))
      .join(' '),
    zone: zones.get(match[0]) ?? '',
  }));
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index).slice(0, 12);
}
