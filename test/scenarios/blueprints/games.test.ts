import { testRows } from '../../support/rows.ts';
import { file, load, project } from '../../unit/blueprints/prompts.ts';

const rules = (prompt: string) => load(file(project(prompt), 'src/game.js'));

test('the computer takes a win, blocks a loss, and never loses at tic-tac-toe', async () => {
  const { bestMove, freeSquares, otherMark, winningLine } = await rules('tic tac toe');
  const position = (marks: string) => Array.from(marks, (mark) => mark.trim());
  expect(bestMove(position('OO XX    '), 'O')).toBe(2);
  expect(bestMove(position('XX  O    '), 'O')).toBe(2);
  const play = (squares: string[], mark: string): void => {
    if (winningLine(squares)) expect(mark).toBe('X');
    else if (mark === 'O' && freeSquares(squares).length > 0) play(squares.with(bestMove(squares, 'O'), 'O'), 'X');
    else for (const at of freeSquares(squares)) play(squares.with(at, mark), otherMark(mark));
  };
  play(Array(9).fill(''), 'X');
});

describe('2048', () => {
  const game = async (row: readonly number[]) => {
    const { Game } = await rules('2048');
    const tiles = row.flatMap((value, at) => (value ? [{ id: at, value, at }] : []));
    // New tiles appear at the first free place from the end.
    return new Game(4, { size: 4, tiles, score: 0 }, () => 0.85);
  };
  const row = ({ tiles }: { tiles: { at: number; value: number }[] }) =>
    [0, 1, 2, 3].map((at) => tiles.find((tile) => tile.at === at)?.value ?? 0);

  testRows([
    [[2, 2, 2, 2], [4, 4, 0, 0], 8],
    [[4, 2, 2, 0], [4, 4, 0, 0], 4],
    [[0, 2, 0, 2], [4, 0, 0, 0], 4],
    [[2, 4, 4, 8], [2, 8, 8, 0], 8],
  ])('slides a row to the left', async (before, after, score) => {
    const one = await game(before);
    expect(one.move('left')).toBe(true);
    expect(row(one)).toEqual(after);
    expect(one.score).toBe(score);
    one.undo();
    expect(row(one)).toEqual(before);
    expect(one.score).toBe(0);
  });

  test('a move that changes nothing adds no tile', async () => {
    const one = await game([2, 4, 8, 16]);
    expect(one.move('left')).toBe(false);
    expect(one.tiles).toHaveLength(4);
  });
});

test('a breakout ball that nobody returns costs a life, and the last one ends the game', async () => {
  const source = file(project('a breakout game with 2 lives'), 'src/game.js');
  const { Game } = await load(source.replace(/^import .*$/m, 'const texts = {}, format = () => "";'));
  const game = new Game();
  game.heading = -1;
  const places: number[] = [];
  for (let frame = 0; frame < 10_000 && !game.over; frame++) {
    game.advance(16);
    places.push(game.ball.x);
  }
  expect(Math.min(...places)).toBeGreaterThan(-10);
  expect(Math.max(...places)).toBeLessThan(610);
  expect([game.over, game.lives]).toEqual([true, 0]);
});

test('breakout is won by a paddle that follows the ball', async () => {
  const source = file(project('a breakout game'), 'src/game.js');
  const { Game } = await load(source.replace(/^import .*$/m, 'const texts = {}, format = () => "";'));
  const game = new Game();
  let seed = 1;
  for (let frame = 0; frame < 200_000 && !game.over; frame++) {
    seed = (seed * 16_807) % 2_147_483_647;
    // Not always with the same part, or the ball would take the same way forever.
    game.movePaddle(game.ball.x + (seed % 81) - 40);
    game.advance(16);
  }
  expect([game.over, game.level]).toEqual([true, 5]);
  expect(game.lives).toBeGreaterThan(0);
});

test('a typing test with a limit counts on with the next text until the time is up', async () => {
  const { Game } = await rules('typing test');
  const game = new Game(['abcde', 'fghij'], 60_000);
  game.type('abcdx', 1_000);
  expect(game.text).toBe('fghij');
  game.type('fg', 31_000);
  expect(game.accuracy).toBeCloseTo(6 / 7);
  expect(game.speed(31_000)).toBe(Math.round(6 / 5 / 0.5));
  game.tick(61_000);
  expect([game.over, game.clock(90_000)]).toEqual([true, 0]);
});

test('a known card moves up a box and waits; an unknown one is due again, in the first box', async () => {
  const { answered, isDue, newCard, nextCard } = await rules('flash cards');
  const day = 24 * 60 * 60 * 1000;
  let card = newCard({ front: 'a', back: 'b' });
  for (const [box, wait] of [
    [2, 1],
    [3, 3],
    [3, 7],
  ] as const) {
    card = answered(card, true, 0);
    expect([card.box, card.due]).toEqual([box, wait * day]);
  }
  expect(isDue(card, 7 * day - 1)).toBe(false);
  expect(answered(card, false, 5)).toMatchObject({ box: 1, due: 5 });
  expect(nextCard([card, answered(card, false, 5)], 6)).toMatchObject({ box: 1 });
});
