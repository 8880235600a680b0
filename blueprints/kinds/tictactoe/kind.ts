import { PLAYERS, readCount } from '../../kit/counts.ts';
import { GAME, numbers, pageLayers } from '../../kit/kinds.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Kind } from '../../kit/types.ts';

const AGAINST_COMPUTER =
  /(?<!\p{L})(?:computer|ai|cpu|bot|minimax|unbeatable|single[- ]player|one player|ki|ordinateur|ia|ordenador|máquina|computador|un solo jugador|unschlagbar\p{L}*)(?!\p{L})/iu;
const PERFECT =
  /unbeatable|minimax|impossible|perfect|unschlagbar|imbatible|imbattable|imbatível|(?:hard|smart) (?:ai|bot|computer)/i;
const NAMES =
  /(?:for|für|para|pour|between|zwischen|entre|players?|Spieler|jugadores|joueurs|jogadores)[,:]? (\p{Lu}\p{L}{1,15}) (?:and|und|y|et|e) (\p{Lu}\p{L}{1,15})(?!\p{L})/u;

function opponentOf(text: string): 'hard' | 'easy' | 'person' {
  if (PERFECT.test(text)) return 'hard';
  return AGAINST_COMPUTER.test(text) ? 'easy' : 'person';
}

export const tictactoe: Kind<'title' | 'about' | 'draws'> = {
  name: 'tictactoe',
  layers: pageLayers('tictactoe', GAME),
  accent: '#d1495b',
  words: [
    ['tic[- ]?tac[- ]?toe|noughts (?:and|&) crosses|x(?:s|es)? (?:and|&|vs) os?|xox', 7],
    [
      'drei gewinnt|tres en (?:raya|línea)|tatetí|juego del? gato|jugar (?:al )?gato|morpion|jogo da velha|jogo do galo',
      6,
    ],
  ],
  fits: ({ request }) => readCount(request, PLAYERS) <= 2,
  values(brief, texts) {
    const title = titleOf(brief, /tic|noughts|gewinnt|raya|morpion|velha|galo/i, texts.title);
    const [, x = 'X', o = 'O'] = NAMES.exec(brief.text) ?? [];
    const named = x !== 'X';
    return {
      title,
      description: `${title}: ${texts.about}`,
      opponent: opponentOf(brief.text),
      players: [x, o],
      pad: false,
      numbers: numbers({ x: named ? `${x} (X)` : 'X', draws: texts.draws, o: named ? `${o} (O)` : 'O' }),
      files: [],
    };
  },
};
