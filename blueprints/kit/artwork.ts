import type { Values } from './types.ts';

// Shapes of a 1 × 1 tile: quarter discs from each corner, half discs, a disc, a leaf.
const SHAPES = [
  'M0 0h1a1 1 0 0 1-1 1z',
  'M1 0v1a1 1 0 0 1-1-1z',
  'M1 1h-1a1 1 0 0 1 1-1z',
  'M0 1v-1a1 1 0 0 1 1 1z',
  'M0 .5a.5 .5 0 0 1 1 0z',
  'M.5 0a.5 .5 0 0 1 0 1z',
  'M.5 .1a.4 .4 0 1 1 0 .8a.4 .4 0 1 1 0-.8z',
  'M0 0h.5a.5 .5 0 0 1 .5 .5v.5h-.5a.5 .5 0 0 1-.5-.5z',
];
/** Ground and shape, as the class names of the templates' four tones. */
const PAIRS = ['t3 t0', 't0 t3', 't2 t1', 't3 t2', 't1 t2', 't3 t1', 't2 t0', 't0 t1'].map((pair) => pair.split(' '));

/** Returns a generator of numbers from 0 to 1 (mulberry32) that is seeded with a text. */
export function seededRandom(text: string): () => number {
  let state = 0;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a picture that is derived from a text: tiles of 1 × 1, each a shape on a ground. */
export function artwork(text: string, columns: number, rows: number): Values[] {
  const random = seededRandom(text);
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: columns * rows }, (_, at) => {
    const [ground = '', tone = ''] = any(PAIRS);
    return { x: at % columns, y: Math.floor(at / columns), ground, tone, shape: any(SHAPES) };
  });
}
