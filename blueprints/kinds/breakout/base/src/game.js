import { format, texts } from './texts.js';

export const WIDTH = 600;
export const HEIGHT = 700;
export const BALL = 9;
export const PADDLE = { y: 650, width: 104, height: 14 };
export const BRICK = { width: 75, height: 30, top: 56 };
/** Rows of bricks by level. A number is how many hits a brick takes. */
const LEVELS = [
  ['11111111', '11111111', '11111111'],
  ['1.1.1.1.', '.1.1.1.1', '1.1.1.1.', '.1.1.1.1'],
  ['...22...', '..1111..', '.111111.', '11111111'],
  ['2.2222.2', '1.1111.1', '1.1111.1', '1.1111.1'],
  ['22222222', '21111112', '21.11.12', '21111112', '22222222'],
];
/** Milliseconds that the ball rests on the paddle before it starts. */
const REST = 700;
/** Milliseconds of one step: the ball moves less than its radius in it. */
const STEP = 8;
const PADDLE_SPEED = 0.65;

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** One game, in units of the canvas and milliseconds. Input, timing and drawing are elsewhere. */
export class Game {
  score = 0;
  over = false;
  lives = '{{startLives}}';
  level = 1;
  /** The middle of the paddle, and where the keys move it: -1, 0 or 1. */
  paddle = WIDTH / 2;
  heading = 0;
  #rest = REST;

  constructor() {
    this.#build();
    this.#serve();
  }

  get numbers() {
    return { level: this.level, lives: this.lives };
  }

  get ending() {
    return format(this.lives > 0 ? texts.won : texts.gameOver, { n: this.score });
  }

  #build() {
    const cells = LEVELS[this.level - 1].flatMap((row, line) => [...row].map((hits, column) => ({ row: line, hits: Number(hits) || 0, x: column * BRICK.width, y: BRICK.top + line * BRICK.height })));
    this.bricks = cells.filter(({ hits }) => hits > 0);
  }

  #serve() {
    this.#rest = REST;
    this.ball = { x: this.paddle, y: PADDLE.y - BALL, dx: 0, dy: 0 };
  }

  /** Sends the ball up: the further from the middle of the paddle it is, the flatter. */
  #launch(offset) {
    const angle = clamp(offset, -1, 1) * 1.05;
    const speed = 0.36 + this.level * 0.04;
    Object.assign(this.ball, { dx: speed * Math.sin(angle), dy: -speed * Math.cos(angle) });
  }

  movePaddle(x) {
    this.paddle = clamp(x, PADDLE.width / 2, WIDTH - PADDLE.width / 2);
  }

  advance(milliseconds) {
    for (let left = milliseconds; left > 0 && !this.over; left -= STEP) this.#step(Math.min(left, STEP));
  }

  #step(time) {
    const { ball } = this;
    this.movePaddle(this.paddle + this.heading * PADDLE_SPEED * time);
    if (this.#rest > 0) {
      this.#rest -= time;
      ball.x = this.paddle;
      if (this.#rest <= 0) this.#launch(0.35);
      return;
    }
    ball.x += ball.dx * time;
    ball.y += ball.dy * time;
    if (ball.x < BALL || ball.x > WIDTH - BALL) ball.dx = Math.abs(ball.dx) * (ball.x < BALL ? 1 : -1);
    if (ball.y < BALL) ball.dy = Math.abs(ball.dy);
    const offset = (ball.x - this.paddle) / (PADDLE.width / 2 + BALL);
    if (ball.dy > 0 && Math.abs(offset) < 1 && ball.y > PADDLE.y - BALL && ball.y < PADDLE.y + PADDLE.height) this.#launch(offset);
    if (ball.y > HEIGHT + BALL) this.#lose();
    else this.#hit();
  }

  #lose() {
    this.lives--;
    this.over = this.lives === 0;
    this.#serve();
  }

  #hit() {
    const { ball } = this;
    // How far the ball is from the nearest point of a brick, along each axis.
    const gap = (brick) => ({ x: ball.x - clamp(ball.x, brick.x, brick.x + BRICK.width), y: ball.y - clamp(ball.y, brick.y, brick.y + BRICK.height) });
    const brick = this.bricks.find((one) => Math.hypot(gap(one).x, gap(one).y) < BALL);
    if (!brick) return;
    const { x, y } = gap(brick);
    if (Math.abs(x) > Math.abs(y)) ball.dx = Math.abs(ball.dx) * Math.sign(x);
    else ball.dy = Math.abs(ball.dy) * (Math.sign(y) || -Math.sign(ball.dy));
    brick.hits--;
    this.score += 10;
    this.bricks = this.bricks.filter(({ hits }) => hits > 0);
    if (this.bricks.length > 0) return;
    if (this.level === LEVELS.length) this.over = true;
    else {
      this.level++;
      this.#build();
      this.#serve();
    }
  }
}
