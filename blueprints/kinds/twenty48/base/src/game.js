/** The moves that can be undone. */
const MAX_UNDO = 50;
export const GOAL = 2048;

/** One game. A tile is `{ id, value, at }`; `at` counts places from the top left, row by row. */
export class Game {
  tiles = [];
  score = 0;
  #past = [];
  #nextId = 0;

  /** @param size places along each side @param stored what `state` was, to go on with that game */
  constructor(size, stored, random = Math.random) {
    this.size = size;
    this.random = random;
    if (stored?.size === size) {
      Object.assign(this, { tiles: stored.tiles, score: stored.score });
      this.#nextId = Math.max(...stored.tiles.map(({ id }) => id)) + 1;
    } else {
      this.#add();
      this.#add();
    }
  }

  get state() {
    return { size: this.size, tiles: this.tiles, score: this.score };
  }

  get won() {
    return this.tiles.some(({ value }) => value >= GOAL);
  }

  get over() {
    return ['up', 'down', 'left', 'right'].every((direction) => !this.#slid(direction).moved);
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  /** The places of each line, from the edge that the tiles slide to. */
  #lines(direction) {
    const side = [...Array(this.size).keys()];
    const isRow = direction === 'left' || direction === 'right';
    const lines = side.map((line) => side.map((step) => (isRow ? line * this.size + step : step * this.size + line)));
    return direction === 'right' || direction === 'down' ? lines.map((line) => line.reverse()) : lines;
  }

  /** Returns the tiles after a move, without a new one. Each tile merges at most once. */
  #slid(direction) {
    const tiles = [];
    let gained = 0;
    for (const line of this.#lines(direction)) {
      const placed = [];
      for (const tile of line.flatMap((at) => this.tiles.find((one) => one.at === at) ?? [])) {
        const before = placed.at(-1);
        if (before && !before.merged && before.value === tile.value) {
          // The tile that moves goes on with both values, so that it is seen to arrive.
          placed[placed.length - 1] = { id: tile.id, value: tile.value * 2, at: before.at, merged: true };
          gained += tile.value * 2;
        } else placed.push({ id: tile.id, value: tile.value, at: line[placed.length] });
      }
      tiles.push(...placed);
    }
    const moved = tiles.length < this.tiles.length || tiles.some(({ id, at }) => this.tiles.find((tile) => tile.id === id).at !== at);
    return { tiles, gained, moved };
  }

  /** Slides all tiles and adds one. Returns whether any tile moved. */
  move(direction) {
    const { tiles, gained, moved } = this.#slid(direction);
    if (!moved) return false;
    this.#past = [...this.#past, { tiles: this.tiles, score: this.score }].slice(-MAX_UNDO);
    this.tiles = tiles;
    this.score += gained;
    this.#add();
    return true;
  }

  undo() {
    Object.assign(this, this.#past.pop());
  }

  #add() {
    const free = [...Array(this.size ** 2).keys()].filter((at) => !this.tiles.some((tile) => tile.at === at));
    const at = free[Math.floor(this.random() * free.length)];
    this.tiles = [...this.tiles, { id: this.#nextId++, value: this.random() < 0.9 ? 2 : 4, at }];
  }
}
