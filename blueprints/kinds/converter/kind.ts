import { readCurrencies } from '../../kit/currency.ts';
import { pageLayers } from '../../kit/kinds.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

/** The words for a measure, and the words for its units in the order in which two of them are proposed. */
const MEASURES: Readonly<Record<string, readonly [words: string, units: Readonly<Record<string, string>>]>> = {
  currency: ['currenc|exchange|forex|währung|moneda|divisas|devise|moeda|câmbio', {}],
  length: [
    'length|distance|länge|longitud|distancia|longueur|comprimento',
    {
      kilometer: 'km|kilomet\\w*|quilômetros?|kilómetros?',
      mile: 'miles?|meilen?|millas?|milhas?',
      centimeter: 'cm|centim\\w*|zentimeter',
      inch: 'inch(?:es)?|zoll|pulgadas?|pouces?|polegadas?',
      foot: 'feet|foot|fuß|pies|pieds|pés',
      meter: 'm|met(?:er|re)s?|metros?|mètres?',
    },
  ],
  weight: [
    'weight|mass|gewicht|peso|poids',
    {
      kilogram: 'kg|kilos?|kilogram\\w*',
      pound: 'lbs?|pounds?|pfund|libras?|livres',
      gram: 'g|grams?|gramm|gramos|grammes',
      ounce: 'oz|ounces?|unzen?|onzas?|onces?|onças?',
    },
  ],
  temperature: [
    'temperatur\\w*|température',
    { celsius: '°?c|celsius|centigrade', fahrenheit: '°?f|fahrenheit', kelvin: 'kelvin' },
  ],
  volume: [
    'volume|volumen|baking|cooking|kitchen|backen|cocina|cuisine|cozinha',
    {
      cup: 'cups?|tassen?|tazas?|tasses?|xícaras?',
      milliliter: 'ml|millilit\\w*|mililit\\w*',
      liter: 'l|lit(?:er|re|ro)s?',
      gallon: 'gallons?|gallonen|galon\\w*|galões',
    },
  ],
  speed: [
    'speed|geschwindigkeit|velocidad|vitesse|velocidade',
    { 'kilometer-per-hour': 'km/?h|kmh', 'mile-per-hour': 'mph', knot: 'knots?|knoten|nudos|nœuds|nós' },
  ],
  data: [
    'data|storage|file size|daten|datos|données|dados|bytes?',
    { megabyte: 'mb|megabytes?', gigabyte: 'gb|gigabytes?', terabyte: 'tb|terabytes?' },
  ],
};
const has = (text: string, words: string) => text.search(new RegExp(`(?<![\\p{L}\\d])(?:${words})(?!\\p{L})`, 'iu'));

/** Returns the measure of a first visit with two of its units; '' stands for what the prompt does not name. */
function readStart(text: string) {
  const currencies = readCurrencies(text);
  const found = Object.entries(MEASURES).map(([measure, [words, units]]) => {
    const named = Object.entries(units).map(([unit, names]) => [unit, has(text, names)] as const);
    const inOrder = named
      .filter(([, at]) => at >= 0)
      .sort((a, b) => a[1] - b[1])
      .map(([unit]) => unit);
    return {
      measure,
      units: measure === 'currency' ? currencies : inOrder,
      isNamed: has(text, `\\p{L}*(?:${words})\\p{L}*`) >= 0,
    };
  });
  const pair = found.filter(({ units }) => units.length > 1).sort((a, b) => Number(b.isNamed) - Number(a.isNamed))[0];
  const { measure = 'length', units = [] } = pair ?? found.find(({ isNamed }) => isNamed) ?? {};
  return { measure, from: units[0] ?? '', to: units[1] ?? '' };
}

export const converter: Kind = {
  name: 'converter',
  layers: pageLayers('converter', ['dom', 'tool', 'texts', 'storage', 'dates']),
  accent: '#b4530a',
  words: [
    [
      '(?:unit|currency|temperature|length|weight|measurement) (?:converter|conversion|calculator)|converters?|convertidor|conversor|convertisseur',
      6,
    ],
    ['(?:währungs|einheiten|maß|temperatur)(?:um)?rechner|umrechner', 6],
    [
      'convert(?:s|ing)?|conversion|umrechnen|umrechnung|convertir|converter unidades|how many \\p{L}+ is|measurements',
      4,
    ],
  ],
  values(brief: Brief, texts) {
    const head = brief.head.replace(/(converter|rechner|convertisseur) (?!d[eu’']).*/iu, '$1');
    const title = titleOf({ ...brief, head }, /convert|convers|rechner/i, texts.title ?? '');
    return {
      title,
      description: `${title}: ${texts.description}`,
      glyph: 'M8 12h16l-4-4M24 20H8l4 4',
      files: [
        { path: 'src/units.js', contents: 'the measures, and how units are converted' },
        { path: 'src/rates.js', contents: 'sample exchange rates: replace them with current ones' },
        { path: 'src/main.js', contents: 'connects the fields' },
      ],
      first: readStart(brief.request),
    };
  },
};
