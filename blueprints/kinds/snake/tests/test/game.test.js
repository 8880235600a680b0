import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Game } from '../src/game.js';

const steps = (game, count) => {
  for (let index = 0; index < count; index++) game.step();
};

test('the snake moves, turns, and never reverses', () => {
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

test('eating makes the snake longer and faster, and the next food appears beside it', () => {
  const game = new Game();
  const { pace } = game;
  steps(game, 11);
  assert.equal(game.score, 1);
  assert.equal(game.snake.length, 4);
  assert.ok(game.pace < pace);
  assert.ok(!game.snake.some(({ x, y }) => x === game.food.x && y === game.food.y));
});

test('the edge ends the game', () => {
  const game = new Game();
  game.turn('up');
  steps(game, 10);
  assert.equal(game.over, false);
  steps(game, 1);
  assert.equal(game.over, true);
});
