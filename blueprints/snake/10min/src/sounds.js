import { load, save } from './store.js';

const $ = (id) => document.getElementById(id);
let context;

function note(frequency, seconds, delay = 0) {
  const start = context.currentTime + delay;
  const gain = new GainNode(context, { gain: 0.08 });
  const tone = new OscillatorNode(context, { frequency, type: 'square' });
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  tone.connect(gain).connect(context.destination);
  tone.start(start);
  tone.stop(start + seconds);
}

/** Browsers allow sound only after a press: call this from one. */
export function prepareSounds() {
  if (!$('sound').checked) return;
  context ??= new AudioContext();
  context.resume();
}

const SOUNDS = {
  eat: () => [note(520, 0.08), note(780, 0.12, 0.07)],
  over: () => [note(300, 0.18), note(200, 0.3, 0.16)],
};

export function play(name) {
  if (context && $('sound').checked) SOUNDS[name]();
}

$('sound').checked = load('sound', true);
$('sound').addEventListener('change', () => save('sound', $('sound').checked));
