import { format, texts } from './texts.js';

/** Cells along each side of the field. */
export const SIZE = 21;

const STEPS = { up: { x: 0, y: -1 }, down: { x: 0, y: 1 }, left: { x: -1, y: 0 }, right: { x: 1, y: 0 } };
const same = (a, b) => a.x === b.x && a.y === b.y;

/** One game: the positions of the snake and its food. Timing, input and drawing are elsewhere. */
export class Game {
  /** From the head to the tail. */
  snake = [4, 3, 2].map((x) => ({ x, y: 10 }));
  food = { x: 15, y: 10 };
  over = false;
  #heading = 'right';
  #turns = [];
  /** Milliseconds since the last step. */
  #waited = 0;

  get score() {
    return this.snake.length - 3;
  }

  get ending() {
    return format(texts.gameOver, { n: this.score });
  }

  /** Milliseconds until the next step: the longer the snake, the faster. */
  get pace() {
    return Math.max(70, 150 - this.score * 2.5);
  }

  /** Queues a turn. Two quick turns happen one after the other; a turn back is ignored. */
  turn(direction) {
    const from = STEPS[this.#turns.at(-1) ?? this.#heading];
    const to = STEPS[direction];
    if (this.#turns.length < 2 && from.x !== to.x && from.y !== to.y) this.#turns.push(direction);
  }

  advance(milliseconds) {
    this.#waited += milliseconds;
    if (this.#waited < this.pace) return;
    this.#waited -= this.pace;
    this.step();
  }

  step() {
    this.#heading = this.#turns.shift() ?? this.#heading;
    const [head] = this.snake;
    const next = { x: head.x + STEPS[this.#heading].x, y: head.y + STEPS[this.#heading].y };
    const eats = same(next, this.food);
    // The tail's cell is free by the time the head arrives, unless the snake grows.
    const body = eats ? this.snake : this.snake.slice(0, -1);
    const outside = next.x < 0 || next.y < 0 || next.x >= SIZE || next.y >= SIZE;
    if (outside || body.some((cell) => same(cell, next))) {
      this.over = true;
      return;
    }
    this.snake = [next, ...body];
    if (eats) this.#feed();
  }

  #feed() {
    const cells = Array.from({ length: SIZE * SIZE }, (_, at) => ({ x: at % SIZE, y: Math.floor(at / SIZE) }));
    const free = cells.filter((cell) => !this.snake.some((part) => same(part, cell)));
    if (free.length === 0) this.over = true;
    else this.food = free[Math.floor(Math.random() * free.length)];
  }
}
