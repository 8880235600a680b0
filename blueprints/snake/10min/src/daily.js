import { SIZE } from './game.js';

const WALLS = 26;
const MIDDLE = 10;

/** Repeatable numbers from 0 to 1 (mulberry32), so that everybody has the same field on the same day. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const key = ({ x, y }) => y * SIZE + x;
const neighbours = ({ x, y }) =>
  [
    { x: x + 1, y },
    { x: x - 1, y },
    { x, y: y + 1 },
    { x, y: y - 1 },
  ].filter((cell) => cell.x >= 0 && cell.y >= 0 && cell.x < SIZE && cell.y < SIZE);

/** Whether every free cell has two ways out and all hang together: no food where the snake cannot come back from. */
export function isFair(walls) {
  const taken = new Set(walls.map(key));
  const isFree = (cell) => !taken.has(key(cell));
  const seen = new Set([key({ x: 0, y: MIDDLE })]);
  const waiting = [{ x: 0, y: MIDDLE }];
  while (waiting.length > 0) {
    const ways = neighbours(waiting.pop()).filter(isFree);
    if (ways.length < 2) return false;
    for (const cell of ways) {
      if (seen.has(key(cell))) continue;
      seen.add(key(cell));
      waiting.push(cell);
    }
  }
  return seen.size === SIZE * SIZE - taken.size;
}

/** The walls of a day: the same for everybody whose calendar shows that day. */
export function dailyWalls(date) {
  const random = seeded(date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate());
  let walls = [];
  while (walls.length < WALLS) {
    const cell = { x: Math.floor(random() * SIZE), y: Math.floor(random() * SIZE) };
    // The middle row is where the snake begins.
    if (cell.y === MIDDLE || walls.some((wall) => key(wall) === key(cell))) continue;
    if (isFair([...walls, cell])) walls = [...walls, cell];
  }
  return walls;
}
