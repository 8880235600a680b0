import { $, make, onKey } from './dom.js';
import { melody } from './melody.js';
import { load, save } from './store.js';
import { lang, texts } from './texts.js';

const audio = $('audio');
const tracks = '{{names}}'.map((name, number) => ({ name, note: texts.sample, file: () => melody(number) }));
const state = load('player', { volume: 0.8, shuffle: false, current: 0 });
state.current = Math.min(state.current, tracks.length - 1);
/** The tracks in the order in which they are played. */
let order;

function arrange() {
  const others = tracks.map((_, at) => at);
  order = state.shuffle ? others.map((at) => [at === state.current ? -1 : Math.random(), at]).sort(([a], [b]) => a - b).map(([, at]) => at) : others;
}

const digits = new Intl.NumberFormat(lang, { minimumIntegerDigits: 2 });
const clock = (seconds) => `${Math.floor(seconds / 60)}:${digits.format(Math.floor(seconds % 60))}`;

function show() {
  save('player', { ...state, current: '{{names}}'.length > state.current ? state.current : 0 });
  $('name').textContent = tracks[state.current].name;
  $('note').textContent = audio.error ? texts.broken : tracks[state.current].note;
  $('play').textContent = audio.paused ? texts.play : texts.pause;
  $('disc').classList.toggle('playing', !audio.paused);
  $('shuffle').ariaPressed = String(state.shuffle);
  $('volume').value = audio.volume = state.volume;
  for (const [at, item] of [...$('list').children].entries()) item.firstChild.ariaCurrent = String(at === state.current);
}

function showTime() {
  const { currentTime, duration } = audio;
  $('position').max = duration || 0;
  $('position').value = currentTime;
  $('position').ariaValueText = $('elapsed').textContent = clock(currentTime);
  $('length').textContent = duration ? clock(duration) : '';
}

/** Selects a track. Sample melodies are made when they are first needed. */
async function select(at, plays) {
  state.current = at;
  const track = tracks[at];
  track.url ??= URL.createObjectURL(await track.file());
  if (tracks[state.current] !== track) return;
  audio.src = track.url;
  if ('mediaSession' in navigator) navigator.mediaSession.metadata = new MediaMetadata({ title: track.name, artist: document.title });
  show();
  if (plays) await audio.play().catch(show);
}

/** Selects the track that is so many places further in the order. */
function skip(by) {
  const at = order.indexOf(state.current) + by;
  return select(order.at(at % order.length), !audio.paused || audio.ended);
}

const toggle = () => (audio.paused ? audio.play().catch(show) : audio.pause());
const previous = () => (audio.currentTime > 3 ? seek(0) : skip(-1));
const next = () => skip(1);
function seek(seconds) {
  audio.currentTime = Math.max(0, Math.min(seconds, audio.duration || 0));
}

function list(track) {
  tracks.push(track);
  offer(track, tracks.length - 1);
}

function offer({ name }, at) {
  $('list').append(make('li', {}, make('button', { type: 'button', textContent: name, dir: 'auto', onclick: () => select(at, true) })));
}

function addFiles(files) {
  const first = tracks.length;
  for (const file of files) {
    if (/^audio\/|^video\//.test(file.type)) list({ name: file.name.replace(/\.\w+$/, ''), note: texts.own, file: () => file });
  }
  arrange();
  if (tracks.length > first) select(first, true);
}

for (const type of ['play', 'pause', 'error']) audio.addEventListener(type, show);
for (const type of ['timeupdate', 'durationchange', 'seeked']) audio.addEventListener(type, showTime);
audio.addEventListener('ended', () => (order.at(-1) === state.current ? select(order[0], false) : next()));
for (const [id, action] of Object.entries({ play: toggle, previous, next })) $(id).addEventListener('click', action);
$('position').addEventListener('input', () => seek($('position').valueAsNumber));
$('volume').addEventListener('input', () => {
  state.volume = $('volume').valueAsNumber;
  show();
});
$('shuffle').addEventListener('click', () => {
  state.shuffle = !state.shuffle;
  arrange();
  show();
});
$('files').addEventListener('change', () => addFiles($('files').files));
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  addFiles(event.dataTransfer.files);
});
onKey(' ', toggle);
onKey('ArrowRight', () => seek(audio.currentTime + 5));
onKey('ArrowLeft', () => seek(audio.currentTime - 5));
const actions = { play: toggle, pause: toggle, previoustrack: previous, nexttrack: next, seekto: ({ seekTime }) => seek(seekTime) };
for (const [name, action] of Object.entries(actions)) navigator.mediaSession?.setActionHandler(name, action);

tracks.forEach(offer);
arrange();
await select(state.current, false);
showTime();
