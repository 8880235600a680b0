import { findCity, firstCities, zones } from './cities.js';
import { $, make } from './dom.js';
import { entriesOf } from './entries.js';
import { iconButton } from './icon-button.js';
import { format, lang, texts } from './texts.js';
import { clockOf, commonTimes, difference, partOfDay } from './zones.js';

const HALF_HOUR = 30 * 60_000;
const here = { id: 'here', name: '', zone: undefined };
/** The half hour of the day that a meeting is planned for; undefined shows the current time. */
let planned;

const cities = entriesOf('cities', firstCities, draw);
const midnight = () => new Date().setHours(0, 0, 0, 0);
const timeShown = () => (planned === undefined ? Date.now() : midnight() + planned * HALF_HOUR);
const show = (time, timeZone, options) => new Intl.DateTimeFormat(lang, { timeZone, ...options }).format(time);
const clock = (time, timeZone) => show(time, timeZone, { hour: '2-digit', minute: '2-digit' });

/** Returns a number of minutes as text: 5 hr 30 min. */
function duration(minutes) {
  const parts = [[Math.floor(minutes / 60), 'hour'], [minutes % 60, 'minute']].filter(([value]) => value > 0);
  return parts.map(([value, unit]) => new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'short' }).format(value)).join(' ');
}

function distance(time, zone) {
  const minutes = difference(time, zone);
  return minutes === 0 ? texts.same : format(minutes > 0 ? texts.ahead : texts.behind, { time: duration(Math.abs(minutes)) });
}

function card(city) {
  const item = make('li', { className: 'panel city' },
    make('h2', { dir: 'auto' }, city.name || texts.yours),
    make('time', {}), make('p', { className: 'day' }), make('p', { className: 'part' }), make('p', { className: 'note' }));
  item.dataset.id = city.id;
  if (city.zone)
    item.append(iconButton('remove', format(texts.remove, { name: city.name }), () => {
      cities.remove(city.id, city.name);
      $('city').focus();
    }));
  return item;
}

/** Writes the times into the cards, which stay, so that no button loses the focus. */
function tick() {
  const time = timeShown();
  for (const [index, city] of [here, ...cities.all()].entries()) {
    const [digits, day, part, note] = $('cities').children[index].querySelectorAll('time, p');
    digits.textContent = clock(time, city.zone);
    digits.dateTime = clockOf(time, city.zone).toISOString().slice(0, 16);
    day.textContent = show(time, city.zone, { weekday: 'long', day: 'numeric', month: 'long' });
    part.textContent = texts[partOfDay(time, city.zone)];
    part.dataset.part = partOfDay(time, city.zone);
    note.textContent = city.zone ? distance(time, city.zone) : show(time, undefined, { timeZoneName: 'long' }).split(', ').at(-1);
  }
  const now = new Date();
  $('hour').value = planned ?? now.getHours() * 2 + Math.floor(now.getMinutes() / 30);
  $('hour').ariaValueText = $('hour-text').textContent = clock(time);
  $('now').hidden = planned === undefined;
}

/** Joins half hours to spans of time: 14:00–16:30. */
function spans(times) {
  const starts = times.filter((time) => !times.includes(time - HALF_HOUR));
  const ends = times.filter((time) => !times.includes(time + HALF_HOUR));
  return starts.map((start, index) => `${clock(start)}–${clock(ends[index] + HALF_HOUR)}`).join(', ');
}

function draw() {
  $('cities').replaceChildren(...[here, ...cities.all()].map(card));
  const times = commonTimes(midnight(), [undefined, ...cities.all().map(({ zone }) => zone)]);
  $('hint').textContent = times.length > 0 ? format(texts.common, { times: spans(times) }) : texts.noCommon;
  tick();
}

function plan(halfHour) {
  planned = halfHour;
  tick();
}

$('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const city = findCity($('city').value);
  $('unknown').textContent = city ? '' : format(texts.unknown, { name: $('city').value });
  if (!city) return;
  $('city').value = '';
  cities.add(city);
});
$('hour').addEventListener('input', ({ target }) => plan(Number(target.value)));
$('now').addEventListener('click', () => {
  plan();
  $('hour').focus();
});
$('names').append(...[...zones.keys()].sort().map((value) => make('option', { value })));
draw();
setInterval(() => planned ?? tick(), 1000);
