import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Game, SIZE } from '../src/game.js';
import { LEVELS, SPEEDS } from '../src/levels.js';
import { withScore } from '../src/scores.js';

const steps = (game, count) => {
  for (let index = 0; index < count; index++) game.step();
};

test('the snake goes on, turns, and does not turn back on itself', () => {
  const game = new Game();
  game.turn('left');
  steps(game, 1);
  assert.deepEqual(game.snake[0], { x: 5, y: 10 });
  game.turn('up');
  game.turn('left');
  steps(game, 2);
  assert.deepEqual(game.snake[0], { x: 4, y: 9 });
  assert.equal(game.over, false);
});

test('eating makes it longer and faster, and the next food is not under it', () => {
  const game = new Game();
  const { pace } = game;
  steps(game, 11);
  assert.equal(game.score, 1);
  assert.equal(game.snake.length, 4);
  assert.ok(game.pace < pace);
  assert.ok(!game.snake.some(({ x, y }) => x === game.food.x && y === game.food.y));
});

test('the edge and a wall end the game', () => {
  const atEdge = new Game();
  atEdge.turn('up');
  steps(atEdge, 10);
  assert.equal(atEdge.over, false);
  steps(atEdge, 1);
  assert.equal(atEdge.over, true);
  const atWall = Object.assign(new Game(), { walls: [{ x: 6, y: 10 }] });
  steps(atWall, 2);
  assert.equal(atWall.over, true);
});

test('every level fits the field and leaves the middle row free', () => {
  for (const [name, walls] of Object.entries(LEVELS)) {
    for (const { x, y } of walls) assert.ok(x < SIZE && y < SIZE && y !== 10, `${name} ${x},${y}`);
  }
  assert.equal(SPEEDS.Normal, 1);
});

test('the best scores are kept, the highest first', () => {
  const scores = [3, 9, 0, 5, 7, 1, 4].reduce((list, score) => withScore(list, { score }), []);
  assert.deepEqual(scores.map(({ score }) => score), [9, 7, 5, 4, 3]);
});
