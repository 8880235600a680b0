import { $ } from './dom.js';
import { flood } from './flood.js';
import { load, save } from './store.js';

/** Whether this is a picture of a few pixels, not a board to draw on freely. */
export const isPixel = '{{cells}}' > 0;
const HISTORY = 20;
const canvas = $('picture');
const context = canvas.getContext('2d', { willReadFrequently: true });
export const history = { past: [], future: [] };

[canvas.width, canvas.height] = isPixel ? ['{{cells}}', '{{cells}}'] : [1200, 900];

const read = () => context.getImageData(0, 0, canvas.width, canvas.height);
const write = (image) => context.putImageData(image, 0, 0);
export const keep = () => save('picture', canvas.toDataURL());

/** Remembers the picture before a change. */
export function begin() {
  history.past = [...history.past, read()].slice(-HISTORY);
  history.future = [];
}

/** Goes back or forward by one change: from `past` to `future`, or the other way. */
export function step(from, to) {
  const image = history[from].pop();
  if (!image) return;
  history[to].push(read());
  write(image);
  keep();
}

/** Draws from a point to another with the pencil or the eraser. */
export function line(from, to, { tool, color, width }) {
  context.globalCompositeOperation = tool === 'eraser' ? 'destination-out' : 'source-over';
  Object.assign(context, { fillStyle: color, strokeStyle: color, lineWidth: width, lineCap: 'round' });
  if (isPixel) {
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
    for (let at = 0; at <= steps; at += 1) {
      const [x, y] = ['x', 'y'].map((axis) => Math.round(from[axis] + ((to[axis] - from[axis]) * at) / steps));
      context.fillRect(x - Math.floor(width / 2), y - Math.floor(width / 2), width, width);
    }
  } else {
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y + 0.01);
    context.stroke();
  }
  context.globalCompositeOperation = 'source-over';
}

export function fill({ x, y }, color) {
  const image = read();
  flood(image, Math.floor(x), Math.floor(y), [...color.matchAll(/[\da-f]{2}/g)].map(([part]) => Number.parseInt(part, 16)).concat(255));
  write(image);
}

/** Returns the colour of a point as #rrggbb, or '' if it is empty. */
export function colorAt({ x, y }) {
  const [r, g, b, opacity] = context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data;
  return opacity ? `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}` : '';
}

export const clear = () => context.clearRect(0, 0, canvas.width, canvas.height);

/** Returns a copy to save: each pixel as a square, and a board with white paper. */
export function enlarged() {
  const scale = isPixel ? Math.floor(1024 / canvas.width) : 1;
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width * scale, height: canvas.height * scale });
  const target = Object.assign(copy.getContext('2d'), { imageSmoothingEnabled: false, fillStyle: '#ffffff' });
  if (!isPixel) target.fillRect(0, 0, copy.width, copy.height);
  target.drawImage(canvas, 0, 0, copy.width, copy.height);
  return copy;
}

/** Restores the stored picture. */
export async function restore() {
  const src = load('picture', null);
  if (!src) return;
  const image = Object.assign(new Image(), { src });
  await image.decode();
  context.drawImage(image, 0, 0);
}
