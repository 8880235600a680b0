import { $, make } from './dom.js';
import { Game } from './game.js';
import { own, passages } from './passages.js';
import { keepBest, show } from './shell.js';
import { load, save } from './store.js';
import { format, lang, texts } from './texts.js';

/** Seconds that a test takes; 0 for one passage, however long that takes. */
const LIMIT = Number('{{limit}}');

let game;
let round = 0;
let reported = false;

const language = make('select', { ariaLabel: texts.language, hidden: own !== '' });
const names = new Intl.DisplayNames(lang, { type: 'language' });
language.append(...Object.keys(passages).map((value) => make('option', { value, textContent: names.of(value) })));
language.value = load('language', '{{language}}');
const text = make('p', { className: 'text' });
const input = make('textarea', { ariaLabel: texts.input, rows: 3, spellcheck: false, autocomplete: 'off', autocapitalize: 'off' });
input.setAttribute('autocorrect', 'off');
$('board').append(text, input);
$('controls').append(language);

const percent = (share) => share.toLocaleString(lang, { style: 'percent' });

function drawText() {
  if (text.textContent !== game.text) text.replaceChildren(...[...game.text].map((letter) => make('span', { textContent: letter })));
  for (const [at, letter] of [...text.children].entries()) {
    letter.className = at < game.typed.length ? (game.isRight(at) ? 'right' : 'wrong') : at === game.typed.length ? 'next' : '';
  }
}

function draw() {
  const now = performance.now();
  game.tick(now);
  drawText();
  if (input.value !== game.typed) input.value = game.typed;
  show({ speed: game.speed(now), accuracy: percent(game.accuracy), time: `${Math.floor(game.clock(now) / 1000)} s` });
  if (game.over && !reported) finish(now);
}

function finish(now) {
  reported = true;
  input.disabled = true;
  const result = format(texts.result, { n: game.speed(now), accuracy: percent(game.accuracy) });
  show({ message: keepBest(game.speed(now)) ? `${result} ${texts.newBest}` : result, best: load('best', 0) });
  $('again').focus();
}

function begin() {
  const list = own ? [own] : passages[language.value];
  const first = round++ % list.length;
  game = new Game([...list.slice(first), ...list.slice(0, first)], LIMIT * 1000);
  reported = false;
  text.lang = input.lang = own ? '' : language.value;
  Object.assign(input, { value: '', disabled: false });
  show({ message: texts.hello, best: load('best', '–'), again: own ? texts.playAgain : texts.next });
  draw();
}

input.addEventListener('input', () => {
  game.type(input.value, performance.now());
  draw();
});
// Pasting is not typing.
input.addEventListener('paste', (event) => event.preventDefault());
setInterval(draw, 250);
$('again').addEventListener('click', () => {
  begin();
  input.focus();
});
language.addEventListener('change', () => {
  save('language', language.value);
  begin();
});
begin();
