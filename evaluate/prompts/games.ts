import { category } from './prompt.ts';
import { anyOf, hold, type Tile, type Visitor } from './visitor.ts';

const START = /start|begin|play|new game|go\b|comenzar|empezar|começar|iniciar|jogar|los|commencer/i;
const AGAIN =
  /new|again|restart|reset|rematch|play|neu|nochmal|noch einmal|nuev|otra|recommencer|rejouer|nov[ao]|reiniciar|de novo/i;
const OVER = /game over|you lost|try again|play again|no lives|final score|crash/i;

const isMarked = ({ text, label, pictures }: Tile) =>
  /^[xo×✕✖❌⭕◯○]$/iu.test(text) || /\b(?:x|o|cross|nought|circle)\b/i.test(label) || pictures !== '';
const marks = async (visitor: Visitor) => (await visitor.tiles(9)).filter(isMarked).length;

/** The face of an open card, whatever shows it. */
const face = ({ text, label, pictures }: Tile) =>
  (text || pictures || label.replace(/\d+/g, '')).replace(/\s+/g, ' ').trim();

/** Finds all pairs as a person with a perfect memory does. */
async function findPairs(visitor: Visitor, count: number): Promise<void> {
  const seen = new Map<number, string>();
  const turn = async (index: number) => {
    await visitor.clicksTiles(count, index);
    await visitor.waits(0.3);
    seen.set(index, face((await visitor.tiles(count))[index] as Tile));
  };
  const open = new Set<number>();
  while (open.size < count) {
    const left = [...Array(count).keys()].filter((index) => !open.has(index));
    const twin = (index: number) =>
      left.find((other) => other !== index && seen.get(other) === seen.get(index));
    const known = left.find((index) => seen.has(index) && twin(index) !== undefined);
    const first = known ?? left.find((index) => !seen.has(index));
    if (first === undefined) throw new Error('the cards have no pairs');
    await turn(first);
    const second = twin(first) ?? left.find((index) => index !== first && !seen.has(index));
    if (second === undefined) throw new Error(`no card matches "${seen.get(first)}"`);
    await turn(second);
    if (seen.get(first) === seen.get(second)) open.add(first).add(second);
    await visitor.waits(1.5);
  }
}

const powers = async (visitor: Visitor) =>
  (await visitor.numbers()).filter(
    (number) => number >= 2 && Number.isInteger(Math.log2(number)) && number !== 2048,
  );

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

/** Answers questions with the first answer of each until the result is shown. */
async function answerAll(visitor: Visitor, result: RegExp): Promise<void> {
  const next = /next|check|submit|continue|finish|weiter|prüfen|nächste|antwort|fertig|ergebnis|auswert/i;
  const chrome = /thema|theme|design|hell|dunkel|menü|sprache|teilen|abbrechen/i;
  for (let count = 0; count < 40 && !result.test(await visitor.shown()); count++) {
    const radio = visitor.page.getByRole('radio').filter({ visible: true });
    const unanswered =
      (await radio.count()) > 0 && (await visitor.page.locator('input:checked').count()) === 0;
    if (unanswered) await radio.first().check({ force: true });
    if (await visitor.mayPress(next)) continue;
    const names = await visitor.page.evaluate<string[]>('visitor.buttons()');
    const answer = names.find((name) => name.trim() !== '' && !chrome.test(name));
    if (answer) await visitor.page.getByRole('button', { name: answer }).first().click();
    await visitor.waits(2);
  }
}

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
  'tictactoe-de': [
    'Tic-Tac-Toe für zwei Spieler, Lena und Tom, mit Punktestand',
    {
      'names the players': (visitor) => visitor.sees(/Lena/, /Tom/),
      'counts the win of the first player': async (visitor) => {
        await visitor.clicksTiles(9, 0, 3, 1, 4, 2);
        await visitor.sees(/gewinnt|gewonnen|sieg/i);
        await visitor.sees(/Lena[\s\S]{0,20}\b1\b|\b1\b[\s\S]{0,8}Lena/);
      },
      'keeps the score in the next game': async (visitor) => {
        await visitor.presses(AGAIN);
        await visitor.sees(/Lena[\s\S]{0,20}\b1\b|\b1\b[\s\S]{0,8}Lena/);
      },
      'the text is German': (visitor) => visitor.speaks('de'),
    },
  ],
  memory: [
    'memory card game with animals, count the moves',
    {
      'a card shows its picture': async (visitor) => {
        await visitor.mayPress(START);
        const before = (await visitor.tiles(8, 40))[0]?.look;
        hold(before !== undefined, 'no cards are seen');
        await visitor.clicksTiles((await visitor.tiles(8, 40)).length, 0);
        await visitor.until(
          async () => (await visitor.tiles(8, 40))[0]?.look !== before,
          'the card stays as it was',
        );
      },
      'finding all pairs wins': async (visitor) => {
        await visitor.reloads();
        await visitor.mayPress(START);
        await findPairs(visitor, (await visitor.tiles(8, 40)).length);
        await visitor.sees(
          /won|win\b|all pairs|congrat|well done|finished|complete|found them all|you did it|play again|new (?:best|record)/i,
        );
      },
      'counts the moves': (visitor) =>
        visitor.sees(/(?:moves?|turns?|tries)\D{0,5}\d+|\d+ (?:moves?|turns?|tries)/i),
      'it is played again': (visitor) => visitor.changes(() => visitor.presses(AGAIN), 'playing again'),
    },
  ],
  twenty48: [
    'a 2048 game with best score',
    {
      'begins with two tiles': async (visitor) => {
        await visitor.mayPress(/^(?:start|play)/i);
        await visitor.until(
          async () => (await powers(visitor)).length === 2,
          'there are not two tiles of 2 or 4',
        );
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
  breakout: [
    'breakout game with a paddle, 3 lives and a score',
    {
      'the game moves': async (visitor) => {
        await starts(visitor);
        const before = await visitor.picture();
        await visitor.waits(1);
        hold((await visitor.picture()) !== before, 'nothing moves');
      },
      'bricks give points': async (visitor) => {
        for (let second = 0; second < 10 && (await score(visitor)) === 0; second++) {
          await visitor.page.keyboard.press('Space');
          await visitor.waits(1);
        }
        hold((await score(visitor)) > 0, 'the score stays 0');
      },
      'lives are lost, and the game with them': async (visitor) => {
        await visitor.page.keyboard.down('ArrowLeft');
        for (let serves = 0; serves < 15 && !OVER.test(await visitor.shown()); serves++) {
          await visitor.page.keyboard.press('Space');
          await visitor.waits(6);
        }
        await visitor.page.keyboard.up('ArrowLeft');
        await visitor.sees(OVER);
      },
      'it is played again': async (visitor) => {
        if (!(await visitor.mayPress(AGAIN))) await visitor.page.keyboard.press('Space');
        const before = await visitor.picture();
        await visitor.page.keyboard.press('Space');
        await visitor.waits(1);
        hold((await visitor.picture()) !== before, 'nothing moves in the second game');
        await visitor.misses(/game over|you lost/i);
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
        await visitor.sees(anyOf(OVER.source, '\\bover\\b'));
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
  'typing-pt': [
    'teste de digitação em português com palavras por minuto e precisão',
    {
      'measures the speed': async (visitor) => {
        await visitor.mayPress(START);
        const field = visitor.page
          .locator('textarea, input:not([type=radio], [type=checkbox])')
          .filter({ visible: true });
        if ((await field.count()) > 0) await field.first().focus();
        const before = await visitor.shown();
        for (const letter of 'xqz xqz xqz xqz') {
          await visitor.page.keyboard.type(letter);
          await visitor.waits(0.2);
        }
        await visitor.waits(2);
        hold((await visitor.shown()) !== before, 'typing changes nothing');
        await visitor.sees(/\bppm\b|palavras por minuto|\bwpm\b/i);
      },
      'mistakes lower the accuracy': async (visitor) => {
        await visitor.until(async () => {
          const percent = /(\d+)(?:[.,]\d+)?\s*%/.exec(await visitor.shown())?.[1];
          return percent !== undefined && Number(percent) < 100;
        }, 'the accuracy is not below 100 %');
      },
      'the text is Portuguese': (visitor) => visitor.speaks('pt'),
    },
  ],
  flashcards: [
    'flashcards for Spanish vocabulary: perro = dog, gato = cat, casa = house',
    {
      'shows a word of the list': (visitor) => visitor.sees(/perro|gato|casa|\b(?:dog|cat|house)\b/i),
      'the card turns': async (visitor) => {
        const turn = async () => {
          if (await visitor.mayPress(/flip|turn|show|reveal|answer|perro|gato|casa|dog|cat|house/i)) return;
          await visitor.page
            .getByText(/^(?:perro|gato|casa|dog|cat|house)$/i)
            .filter({ visible: true })
            .first()
            .click();
        };
        await turn();
        await visitor.waits(1);
        await visitor.sees(/\b(?:dog|cat|house)\b/i, /perro|gato|casa/i);
      },
      'goes on to another card': (visitor) =>
        visitor.changes(
          () => visitor.presses(/next|knew|know|again|good|easy|right|correct|→|›|got it/i),
          'going on',
        ),
    },
  ],
  'quiz-de': [
    'Ein Quiz über die Planeten mit Punktzahl am Ende',
    {
      'asks a question': async (visitor) => {
        await visitor.mayPress(/start|los|begin/i);
        await visitor.sees(/\?/);
      },
      'ends with the score': async (visitor) => {
        const result =
          /\d+\s*(?:von|\/|aus)\s*\d+\s*(?:richtig|punkt|frage|antwort)|(?:ergebnis|punktzahl|punkte|geschafft)\D{0,20}\d+|^\s*\d+ von \d+\s*$/im;
        await answerAll(
          visitor,
          anyOf('nochmal', 'noch einmal', 'neu(?:es)? ', 'von vorn', 'wiederholen', 'erneut'),
        );
        await visitor.sees(result);
      },
      'the text is German': (visitor) => visitor.speaks('de'),
    },
  ],
});
