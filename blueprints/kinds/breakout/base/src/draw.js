import { BALL, BRICK, PADDLE } from './game.js';
import { colors } from './stage.js';

/** Draws a game in the colours of the page. */
export function draw(canvas, game) {
  const context = canvas.getContext('2d');
  const [ground, ink, ...rows] = colors(canvas, '--surface', '--ink', '--accent', '--second', '--third', '--fourth');
  const fill = (color, ...shape) => {
    context.fillStyle = color;
    context.beginPath();
    context.roundRect(...shape);
    context.fill();
  };
  fill(ground, 0, 0, canvas.width, canvas.height, 0);
  for (const { x, y, row, hits } of game.bricks) {
    fill(rows[row % rows.length], x + 3, y + 3, BRICK.width - 6, BRICK.height - 6, 6);
    // A brick that takes two hits has a second skin.
    if (hits > 1) fill(ground, x + 9, y + 9, BRICK.width - 18, BRICK.height - 18, 3);
    if (hits > 1) fill(rows[row % rows.length], x + 12, y + 12, BRICK.width - 24, BRICK.height - 24, 2);
  }
  fill(ink, game.paddle - PADDLE.width / 2, PADDLE.y, PADDLE.width, PADDLE.height, 7);
  fill(rows[0], game.ball.x - BALL, game.ball.y - BALL, BALL * 2, BALL * 2, BALL);
}
