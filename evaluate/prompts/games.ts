import { category, hold, type Tile, type Visitor } from './visitor.ts';

const START = /start|begin|play|new game|go\b|comenzar|empezar|começar|iniciar|jogar|los|commencer/i;
const AGAIN =
  /new|again|restart|reset|rematch|play|neu|nochmal|noch einmal|nuev|otra|recommencer|rejouer|nov[ao]|reiniciar|de novo/i;
const OVER = /\bover\b|you lost|try again|play again|no lives|final score|crash/i;

const isMarked = ({ text, label, pictures }: Tile) =>
  /^[xo×✕✖❌⭕◯○]$/iu.test(text) || /\b(?:x|o|cross|nought|circle)\b/i.test(label) || pictures !== '';
const marks = async (visitor: Visitor) => (await visitor.tiles(9)).filter(isMarked).length;

const powers = async (visitor: Visitor) =>
  (await visitor.numbers()).filter((number) => number >= 2 && Number.isInteger(Math.log2(number)) && number !== 2048);

async function slides(visitor: Visitor, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowDown']) {
      await visitor.page.keyboard.press(key);
      await visitor.waits(0.3);
    }
}

/** Starts a game that may start by a button, a key or a click. */
async function starts(visitor: Visitor, key = 'Space'): Promise<void> {
  if (!(await visitor.mayPress(START))) await visitor.page.keyboard.press(key);
  await visitor.waits(0.3);
}

const score = async (visitor: Visitor): Promise<number> =>
  Number(/(?:score|points|punkte)\D{0,6}(\d+)/i.exec(await visitor.shown())?.[1] ?? 0);

export const GAMES = category('games', {
  tictactoe: [
    'a tic tac toe game for two players',
    {
      'a click takes a square': async (visitor) => {
        await visitor.clicksTiles(9, 4);
        await visitor.until(async () => (await marks(visitor)) === 1, 'the square shows no mark');
      },
      'a taken square stays taken': async (visitor) => {
        const before = (await visitor.tiles(9))[4]?.text;
        await visitor.clicksTiles(9, 4);
        hold((await visitor.tiles(9))[4]?.text === before, 'the mark changed');
      },
      'three in a row wins': async (visitor) => {
        await visitor.clicksTiles(9, 0, 3, 1, 5);
        await visitor.sees(/wins?\b|won\b|winner|victory/i);
      },
      'it is played again': async (visitor) => {
        await visitor.presses(AGAIN);
        await visitor.until(async () => (await marks(visitor)) === 0, 'the board is not empty');
        await visitor.clicksTiles(9, 0);
        await visitor.until(async () => (await marks(visitor)) === 1, 'no square can be taken');
      },
    },
  ],
  twenty48: [
    'a 2048 game with best score',
    {
      'begins with two tiles': async (visitor) => {
        await visitor.mayPress(/^(?:start|play)/i);
        await visitor.until(async () => (await powers(visitor)).length === 2, 'there are not two tiles of 2 or 4');
      },
      'arrow keys merge tiles': async (visitor) => {
        await slides(visitor, 4);
        hold(
          (await powers(visitor)).some((number) => number >= 8),
          'no tile of 8 after 16 moves',
        );
      },
      'counts a score': async (visitor) => hold((await score(visitor)) > 0, 'the score is 0 after merging'),
      'keeps the best score': async (visitor) => {
        const best = async () => Number(/best\D{0,12}(\d+)/i.exec(await visitor.shown())?.[1] ?? 0);
        const before = await best();
        hold(before > 0, 'no best score is seen');
        await visitor.reloads();
        await visitor.until(async () => (await best()) >= before, 'the best score is lost');
      },
      'begins again': async (visitor) => {
        await visitor.presses(AGAIN);
        await visitor.mayPress(/yes|ok|new|start/i);
        await visitor.until(async () => (await score(visitor)) === 0, 'the score is not 0');
      },
    },
  ],
  snake: [
    'snake game where hitting the wall ends the game',
    {
      'the snake moves': async (visitor) => {
        await starts(visitor, 'ArrowRight');
        await visitor.page.keyboard.press('ArrowRight');
        const before = await visitor.picture();
        await visitor.waits(0.5);
        hold((await visitor.picture()) !== before, 'nothing moves');
      },
      'shows a score': (visitor) => visitor.sees(/score|points|length|\b\d+\b/i),
      'the wall ends the game': async (visitor) => {
        await visitor.page.keyboard.press('ArrowUp');
        await visitor.waits(15);
        await visitor.sees(OVER);
      },
      'it is played again': async (visitor) => {
        if (!(await visitor.mayPress(AGAIN))) await visitor.page.keyboard.press('Space');
        await visitor.page.keyboard.press('ArrowRight');
        const before = await visitor.picture();
        await visitor.waits(0.5);
        hold((await visitor.picture()) !== before, 'nothing moves in the second game');
      },
    },
  ],
});
