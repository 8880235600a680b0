import { files, gameLayers, numbers } from '../kit/game.ts';
import { readList } from '../kit/lists.ts';
import { titleOf } from '../kit/phrases.ts';
import type { Kind } from '../kit/types.ts';

const MAX_PAIRS = 18;
/** Pictures by what a prompt calls them. */
const THEMES: readonly (readonly [about: string, pictures: string])[] = [
  ['animals?|zoo|tiere?|tier|animal(?:es)?|animaux|animais|pets?', '🐶🐱🐭🐰🦊🐻🐼🐯🦁🐮🐷🐸🐵🐔🐧🐢🐙🐬'],
  ['fruits?|food|obst|früchte|essen|frutas?|comida|nourriture', '🍎🍌🍇🍓🍒🍑🍍🥝🍋🍉🍐🥕🌽🍄🥑🍅🍆🥦'],
  [
    'vehicles?|cars?|transport|fahrzeuge|autos?|coches|véhicules|voitures|carros',
    '🚗🚌🚲🚂🚀🚁🚜🚒🚑🚕⛵🛴🚚🏍🚠🛶🛵🚤',
  ],
  ['sports?|balls?|deportes|esportes', '⚽🏀🏈⚾🎾🏐🏉🎱🏓🏸🥊🎿🏹🥋🛹🎳🏒🥏'],
  ['emojis?|faces|smileys?|gesichter|caras|visages|caretas', '😀😂😍😎🤔😴😡😱🤠🤓🥳😇🤖👻👽🤡😺💩'],
];

/** How many pairs a prompt asks for: "10 pairs", "a 4x4 grid", "16 cards". */
function readPairs(text: string): number {
  const pairs = /(\d{1,2}) (?:pairs|paare?n?|parejas|pares|paires)/i.exec(text)?.[1];
  const [, rows, columns] = /(\d)\s?[x×*]\s?(\d)(?!\d)/i.exec(text) ?? [];
  const cards = /(\d{1,2}) (?:cards|karten|cartas|cartes)/i.exec(text)?.[1];
  const wanted = Number(pairs) || Math.floor((Number(rows) * Number(columns) || Number(cards)) / 2) || 8;
  return Math.min(MAX_PAIRS, Math.max(2, wanted));
}

export const memory: Kind<'title' | 'about' | 'moves' | 'time' | 'best'> = {
  name: 'memory',
  layers: gameLayers('memory/base'),
  accent: '#0f766e',
  words: [
    ['(?:memory|concentration)(?: card| matching| cards?)* game|memory[- ]?(?:match|spiel|cards?)', 7],
    [
      '(?:card[- ])?match(?:ing)? (?:cards?|pairs?|game)|card[- ]matching|find (?:the|all)? ?pairs|flip(?:ping)? cards?',
      6,
    ],
    [
      'memory|memori|memorama|memoria|juego de (?:memoria|parejas)|jeu de (?:mémoire|memory|paires)|jogo da memória',
      5,
    ],
  ],
  values(brief, texts) {
    const title = titleOf(brief, /memor|mémo|match|pair|concentration/i, texts.title);
    const words = readList(
      brief.text,
      'words|cards|pairs|wörter|begriffe|palabras|mots|palavras|symbols|pictures',
    ).slice(0, MAX_PAIRS);
    const pictures = THEMES.find(([about]) =>
      new RegExp(`(?<!\\p{L})(?:${about})(?!\\p{L})`, 'iu').test(brief.request),
    );
    const own = words.length >= 2 ? words : Array.from(pictures?.[1] ?? '');
    const pairs = words.length >= 2 ? words.length : readPairs(brief.text);
    return {
      title,
      description: `${title}: ${texts.about}`,
      faces: own,
      sizes: [...new Set([pairs, 6, 8, 12, 18])]
        .filter((size) => size <= (own.length || MAX_PAIRS))
        .sort((a, b) => a - b),
      pairs,
      pad: false,
      numbers: numbers({ moves: texts.moves, time: texts.time, best: texts.best }),
      files: files({ 'src/faces.js': 'the pictures of the cards: replace them with your own' }),
    };
  },
};
