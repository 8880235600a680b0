import { $, make } from './dom.js';
import { download } from './files.js';
import { load, save } from './store.js';
import { begin, clear, colorAt, fill, enlarged, history, isPixel, keep, line, restore, step } from './surface.js';
import { format, texts } from './texts.js';

const COLORS = {
  black: '#1c1b22', gray: '#8b8b95', white: '#ffffff', brown: '#8a5a35', red: '#dc2f3c', orange: '#f08324',
  yellow: '#f7cf3d', green: '#3f9b4b', turquoise: '#27a5a5', blue: '#2f6fde', purple: '#7d4cc9', pink: '#ee7fb4',
};
const canvas = $('picture');
const brush = load('brush', { tool: 'pencil', color: COLORS.black, width: isPixel ? 1 : 8, grid: isPixel });
const pen = { x: 0, y: 0 };
let last = null;

function show() {
  save('brush', brush);
  for (const button of $('tools').children) button.ariaPressed = String(button.value === brush.tool);
  for (const button of $('colors').querySelectorAll('button')) button.ariaPressed = String(button.value === brush.color);
  $('width').value = brush.width;
  $('own').value = brush.color;
  $('undo').disabled = history.past.length === 0;
  $('redo').disabled = history.future.length === 0;
  $('grid').ariaPressed = String(brush.grid);
  $('lines').hidden = !brush.grid;
  const [columns, rows] = isPixel ? [canvas.width, canvas.height] : [24, 18];
  $('lines').style.backgroundSize = `${100 / columns}% ${100 / rows}%`;
}

function use(from, to) {
  if (brush.tool === 'fill') fill(to, brush.color);
  else line(from, to, brush);
}

function change(action) {
  begin();
  action();
  keep();
  show();
}

function pointOf({ clientX, clientY }) {
  const box = canvas.getBoundingClientRect();
  const point = { x: ((clientX - box.left) / box.width) * canvas.width, y: ((clientY - box.top) / box.height) * canvas.height };
  return isPixel ? { x: Math.floor(point.x), y: Math.floor(point.y) } : point;
}

canvas.addEventListener('pointerdown', (event) => {
  if (event.button > 0) return;
  canvas.setPointerCapture(event.pointerId);
  begin();
  last = pointOf(event);
  use(last, last);
});
canvas.addEventListener('pointermove', (event) => {
  if (!last || brush.tool === 'fill') return;
  for (const one of event.getCoalescedEvents()) {
    const point = pointOf(one);
    line(last, point, brush);
    last = point;
  }
});
canvas.addEventListener('lostpointercapture', () => {
  last = null;
  keep();
  show();
});

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
canvas.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const [x, y] = MOVES[event.key] ?? [0, 0];
  if (!MOVES[event.key] && event.key !== ' ') return;
  event.preventDefault();
  const from = { ...pen };
  const stride = isPixel ? 1 : 20;
  pen.x = Math.min(canvas.width - 1, Math.max(0, pen.x + x * stride));
  pen.y = Math.min(canvas.height - 1, Math.max(0, pen.y + y * stride));
  if (event.key === ' ' || (event.shiftKey && brush.tool !== 'fill')) change(() => use(from, pen));
  point();
});

/** Shows the place of the keyboard's pen, and says which colour is there. */
function point() {
  const size = isPixel ? 1 : 12;
  const percent = (part, whole) => `${(part / whole) * 100}%`;
  Object.assign($('cursor').style, {
    left: percent(pen.x, canvas.width), top: percent(pen.y, canvas.height),
    width: percent(size, canvas.width), height: percent(size, canvas.height),
  });
  $('cursor').hidden = false;
  const color = colorAt(pen);
  const name = Object.keys(COLORS).find((key) => COLORS[key] === color);
  $('place').textContent = format(texts.place, { x: pen.x + 1, y: pen.y + 1, color: texts[name] ?? (color || texts.empty) });
}
canvas.addEventListener('focus', () => canvas.matches(':focus-visible') && point());
canvas.addEventListener('blur', () => ($('cursor').hidden = true));

const set = (changes) => show(Object.assign(brush, changes));
for (const [name, value] of Object.entries(COLORS)) {
  const color = make('button', { type: 'button', value, title: texts[name], ariaLabel: texts[name] });
  color.style.background = value;
  $('own').before(color);
}
$('tools').addEventListener('click', ({ target }) => target.value && set({ tool: target.value }));
$('colors').addEventListener('click', ({ target }) => target.type === 'button' && set({ color: target.value }));
$('own').addEventListener('input', () => set({ color: $('own').value }));
$('width').addEventListener('input', () => set({ width: $('width').valueAsNumber }));
$('grid').addEventListener('click', () => set({ grid: !brush.grid }));
$('clear').addEventListener('click', () => change(clear));
const go = (from, to) => show(step(from, to));
$('undo').addEventListener('click', () => go('past', 'future'));
$('redo').addEventListener('click', () => go('future', 'past'));
document.addEventListener('keydown', (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  const key = event.key.toLowerCase();
  if (key !== 'z' && key !== 'y') return;
  event.preventDefault();
  if (key === 'z' && !event.shiftKey) go('past', 'future');
  else go('future', 'past');
});
$('save').addEventListener('click', () => enlarged().toBlob((blob) => download('{{packageName}}' + '.png', blob, 'image/png')));
$('sheet').classList.toggle('pixel', isPixel);
await restore();
show();
