import { titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';
import { OTHER_CITIES, readCities } from './cities.ts';

const TITLE = /clock|time ?zone|uhr|zeitzonen|reloj|horari|horloge|fuseau|relógio|fuso/i;

export const clocks: Kind = {
  name: 'clocks',
  layers: {
    auto: [
      'shared/page',
      'shared/dom',
      'shared/tool',
      'shared/texts',
      'shared/storage',
      'shared/entries',
      'clocks/base',
    ],
    '5min': ['shared/offline'],
    '10min': ['shared/tests'],
  },
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
