import { delay, EMPTY, PRESETS, STEPS, stepSeconds, toggled } from './beat.js';
import { $, make, onKey } from './dom.js';
import { hit, NAMES } from './sounds.js';
import { load, save } from './store.js';
import { format, texts } from './texts.js';

const presets = [...PRESETS, { name: texts.empty, tempo: 120, swing: 0 }];
/** Each preset keeps the changes made to it, so that choosing another one loses nothing. */
const state = load('beats', { preset: Math.max(0, '{{style}}'), changed: {} });
const original = () => ({ ...presets[state.preset], tempo: '{{firstTempo}}' || presets[state.preset].tempo });
const beat = () => state.changed[state.preset] ?? original();
const isOn = (sound, step) => beat()[sound]?.[step] === 'x';

let context;
let timer;
let next;
/** The steps that are scheduled but not yet heard. */
let coming = [];

const cells = NAMES.flatMap((sound) => {
  const name = texts[sound];
  const button = { type: 'button', className: 'sound', textContent: name, ariaLabel: format(texts.listen, { sound: name }) };
  const listen = make('button', { ...button, onclick: () => hit(sounding(), sound, context.currentTime) });
  const steps = Array.from({ length: STEPS }, (_, step) => {
    const change = () => keep({ [sound]: toggled(beat()[sound] ?? EMPTY, step) });
    const ariaLabel = format(texts.step, { sound: name, n: step + 1 });
    return Object.assign(make('button', { type: 'button', className: 'step', tabIndex: -1, ariaLabel, onclick: change }), { sound, step });
  });
  $('pattern').append(make('div', { className: 'row' }, listen, ...steps));
  return steps;
});

function keep(changes) {
  state.changed[state.preset] = { ...beat(), ...changes };
  show();
}

function show() {
  save('beats', state);
  $('preset').value = state.preset;
  for (const name of ['tempo', 'swing']) $(name).value = beat()[name];
  $('tempo-value').textContent = beat().tempo;
  $('swing-value').textContent = `${beat().swing} %`;
  $('reset').disabled = !state.changed[state.preset];
  for (const cell of cells) cell.ariaPressed = String(isOn(cell.sound, cell.step));
}

/** Returns the context, which browsers start only after a key or a click. */
function sounding() {
  context ??= new AudioContext();
  context.resume();
  return context;
}

// Timers are late, the clock of the context is exact: steps are scheduled ahead, further in a hidden page.
function schedule() {
  while (next.time < context.currentTime + (document.hidden ? 1.5 : 0.12)) {
    const { step, time } = next;
    const heard = time + delay(step, beat());
    for (const name of NAMES) if (isOn(name, step)) hit(context, name, heard);
    coming.push({ step, heard });
    next = { step: (step + 1) % STEPS, time: time + stepSeconds(beat().tempo) };
  }
}

function follow() {
  const now = coming.findLast(({ heard }) => heard <= context.currentTime);
  if (now) coming = coming.slice(coming.indexOf(now) + 1);
  if (now || !timer) for (const cell of cells) cell.classList.toggle('now', Boolean(timer) && cell.step === now.step);
  if (timer) requestAnimationFrame(follow);
}

function toggle() {
  coming = [];
  next = { step: 0, time: sounding().currentTime + 0.06 };
  timer = timer ? clearInterval(timer) : setInterval(schedule, 25);
  follow();
  $('play').textContent = timer ? texts.stop : texts.play;
}

// The pattern is one stop of the Tab key; the arrow keys move within it.
cells[0].tabIndex = 0;
$('pattern').addEventListener('focusin', ({ target }) => {
  if (cells.includes(target)) for (const cell of cells) cell.tabIndex = cell === target ? 0 : -1;
});
$('pattern').addEventListener('keydown', (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -STEPS, ArrowDown: STEPS }[event.key];
  if (!by || !cells.includes(event.target)) return;
  event.preventDefault();
  cells.at((cells.indexOf(event.target) + by) % cells.length).focus();
});
for (const name of ['tempo', 'swing']) $(name).addEventListener('input', () => keep({ [name]: $(name).valueAsNumber }));
$('preset').append(...presets.map(({ name }, index) => new Option(name, index)));
$('preset').addEventListener('change', () => {
  state.preset = Number($('preset').value);
  show();
});
$('reset').addEventListener('click', () => {
  delete state.changed[state.preset];
  show();
  $('play').focus();
});
$('play').addEventListener('click', toggle);
$('play').textContent = texts.play;
document.addEventListener('visibilitychange', () => timer && schedule());
onKey(' ', toggle);
show();
