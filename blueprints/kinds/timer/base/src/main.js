import { chime, prepareChime } from './chime.js';
import { alternates, intervals, roundsToLongBreak } from './config.js';
import { clock, Countdown } from './countdown.js';
/* #from5min */
import { record } from './history.js';
import './history-view.js';
import { listenForOwnIntervals } from './own-intervals-view.js';
/* /from5min */
/* #from10min */
import { goal, progress } from './goal.js';
/* /from10min */
import { load, save } from './store.js';
import { format, texts } from './texts.js';

const MINUTE = 60_000;
const $ = (id) => document.getElementById(id);
const title = document.title;
const countdown = new Countdown();
/** The minutes of each interval, by its id. */
const minutes = load('minutes', {});

let current = intervals[0];
let sound = load('sound', true);
let ticker;

const today = () => new Date().toDateString();
const log = () => {
  const stored = load('log', {});
  return stored.day === today() ? stored : { day: today(), rounds: 0, minutes: 0 };
};

function select(interval) {
  current = interval;
  countdown.set(minutes[interval.id] * MINUTE);
  clearInterval(ticker);
  show();
}

function show() {
  const { left, running } = countdown;
  const whole = minutes[current.id] * MINUTE;
  const time = clock(left);
  $('clock').textContent = time;
  $('clock').toggleAttribute('data-long', time.length > 5);
  $('level').style.setProperty('--elapsed', String(whole > 0 ? 1 - left / whole : 0));
  $('start').textContent = running ? texts.pause : left < whole ? texts.resume : texts.start;
  document.title = running ? `${time} · ${current.name}` : title;
  for (const button of $('intervals').children) {
    button.setAttribute('aria-pressed', String(button.value === current.id));
  }
  showLog();
}

function showLog() {
  const { rounds, minutes } = log();
  const done = { n: rounds, minutes: Math.round(minutes) };
  $('today').textContent = rounds > 0 ? format(texts.today, done) : texts.noneToday;
  /* #from10min */
  if (goal()) $('today').textContent += `; ${progress(minutes, goal())}`;
  /* /from10min */
}

function toggle() {
  prepareChime();
  if (countdown.running) {
    countdown.pause();
    clearInterval(ticker);
    $('message').textContent = texts.paused;
  } else {
    if (countdown.left === 0) countdown.set(minutes[current.id] * MINUTE);
    countdown.start();
    ticker = setInterval(tick, 200);
    $('message').textContent = current.hint;
  }
  show();
}

function tick() {
  if (countdown.left === 0) finish();
  else show();
}

function finish() {
  const done = current;
  if (done.counts) {
    const { rounds, minutes: sum } = log();
    save('log', { day: today(), rounds: rounds + 1, minutes: sum + minutes[done.id] });
    /* #from5min */
    record(done.name, minutes[done.id]);
    /* /from5min */
  }
  if (sound) chime();
  select(next(done));
  $('message').textContent = alternates
    ? format(texts.next, { done: done.name, next: current.name })
    : texts.timeIsUp;
}

function next(done) {
  if (!alternates) return done;
  const [focus, shortBreak, longBreak] = intervals;
  if (done !== focus) return focus;
  return log().rounds % roundsToLongBreak === 0 ? longBreak : shortBreak;
}

function reset() {
  select(current);
  $('message').textContent = texts.ready;
}

/** Adds an interval to the page: the button that selects it and its length in the settings. */
function offer(interval) {
  minutes[interval.id] ??= interval.minutes;
  const button = Object.assign(document.createElement('button'), { type: 'button', value: interval.id });
  button.textContent = interval.name;
  button.addEventListener('click', () => {
    select(interval);
    $('message').textContent = texts.ready;
  });
  $('intervals').append(button);

  const input = Object.assign(document.createElement('input'), { type: 'number', min: 0.1, max: 600, step: 'any' });
  input.value = minutes[interval.id];
  input.addEventListener('change', () => {
    if (!input.validity.valid || input.value === '') return;
    minutes[interval.id] = input.valueAsNumber;
    save('minutes', minutes);
    if (interval === current && !countdown.running) reset();
  });
  const label = document.createElement('label');
  label.append(format(texts.lengthOf, { name: interval.name }), input);
  $('lengths').append(label);
}

intervals.forEach(offer);
/* #from5min */

function withdraw(id) {
  const button = [...$('intervals').children].find(({ value }) => value === id);
  if (!button) return;
  $('lengths').children[[...$('intervals').children].indexOf(button)].remove();
  button.remove();
  delete minutes[id];
  save('minutes', minutes);
  if (current.id === id) select(intervals[0]);
}

listenForOwnIntervals({ offer, withdraw });
/* /from5min */
/* #from10min */
$('history').addEventListener('close', showLog);
/* /from10min */

$('start').addEventListener('click', toggle);
$('reset').addEventListener('click', reset);
$('open-settings').addEventListener('click', () => $('settings').showModal());
$('sound').checked = sound;
$('sound').addEventListener('change', () => {
  sound = $('sound').checked;
  save('sound', sound);
});
document.addEventListener('keydown', (event) => {
  if (event.target.closest('button, input, dialog') || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === ' ') {
    event.preventDefault();
    toggle();
  } else if (event.key.toLowerCase() === 'r') {
    reset();
  }
});

select(current);
$('message').textContent = texts.ready;
