import { SIZE } from './game.js';
import { colors } from './stage.js';

/** Draws a game in the colours of the page. */
export function draw(canvas, game) {
  const { snake, food } = game;
  const context = canvas.getContext('2d');
  const cell = canvas.width / SIZE;
  const [ground, dots, body, accent] = colors(canvas, '--surface', '--line', '--ink', '--accent');

  context.fillStyle = ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = dots;
  for (let at = 0; at < SIZE * SIZE; at++) {
    context.fillRect(((at % SIZE) + 0.45) * cell, (Math.floor(at / SIZE) + 0.45) * cell, cell * 0.1, cell * 0.1);
  }
  const fill = ({ x, y }, color, inset) => {
    context.fillStyle = color;
    context.beginPath();
    context.roundRect((x + inset) * cell, (y + inset) * cell, cell * (1 - 2 * inset), cell * (1 - 2 * inset), cell * 0.18);
    context.fill();
  };
  fill(food, accent, 0.16);
  for (const part of snake) fill(part, body, 0.06);
  fill(snake[0], accent, 0.34);
}
