import { files, GAME, isForOne, numbers, pageLayers } from '../../kit/kinds.ts';
import { readEntries, readList } from '../../kit/lists.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Kind } from '../../kit/types.ts';

const MAX_PAIRS = 18;
const WORD_LABELS = 'words|wörtern?|begriffen?|palabras|mots|palavras|names|symbols';
/** Pictures, after the words of a prompt that ask for them. */
const THEMES = `
animals?|zoo|tiere?n?|animal(?:es)?|animaux|animais|pets? 🐶🐱🐭🐰🦊🐻🐼🐯🦁🐮🐷🐸🐵🐔🐧🐢🐙🐬
fruits?|food|obst|früchten?|essen|frutas?|comida|nourriture 🍎🍌🍇🍓🍒🍑🍍🥝🍋🍉🍐🥕🌽🍄🥑🍅🍆🥦
vehicles?|cars?|transport|fahrzeugen?|autos?|coches|véhicules|voitures|carros 🚗🚌🚲🚂🚀🚁🚜🚒🚑🚕🚓🛴🚚🚄🚠🛶🛵🚤
sports?|balls?|deportes|esportes 🏀🏈🎾🏐🏉🎱🏓🏸🥊🎿🏹🥋🛹🎳🏒🥏🥎🏏
emojis?|faces|smileys?|gesichter|caras|visages 😀😂😍😎🤔😴😡😱🤠🤓🥳😇🤖👻👽🤡😺💩
`;

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
  layers: pageLayers('memory', GAME),
  accent: '#0f766e',
  words: [
    ['(?:memory|concentration)(?: card| matching| cards?)* game|memory[- ]?(?:match|spiel|cards?)', 7],
    ['(?:card[- ])?match(?:ing)? (?:cards?|pairs?|game)|card[- ]matching|flip(?:ping)? cards?', 6],
    ['find (?:the|all)? ?pairs|memorama|juego de (?:memoria|parejas)|jeu de paires', 6],
    ['gedächtnisspiel|(?:karten)?paare (?:finden|suchen)|kartenpaare\\p{L}*|pairs of cards', 6],
    ['memory|memori|memoria|jeu de mémoire|jogo da memória', 5],
  ],
  fits: isForOne,
  values(brief, texts) {
    const title = titleOf(brief, /memor|mémo|match|pair|concentration/i, texts.title);
    const labelled = readList(brief.text, WORD_LABELS);
    const words = (labelled.length > 1 ? labelled : readEntries(brief.text)).slice(0, MAX_PAIRS);
    const themes = THEMES.trim()
      .split('\n')
      .map((line) => line.split(' '));
    const theme = themes.find(([about]) => new RegExp(`(?<!\\p{L})(?:${about})(?!\\p{L})`, 'iu').test(brief.request));
    const own = words.length >= 2 ? words : Array.from(theme?.[1] ?? '');
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
