import { $, make } from './dom.js';
import { bestMove, easyMove, freeSquares, otherMark, winningLine } from './game.js';
import { moveByArrows, show } from './shell.js';
import { load, save } from './store.js';
import { format, texts } from './texts.js';

const PLAYERS = '{{players}}';
/** Milliseconds until the computer answers, so that its move can be followed. */
const THINKING = 350;

const none = { x: 0, draws: 0, o: 0 };
let squares;
let mark;
let timer;

const opponent = make('select', { ariaLabel: texts.opponent });
opponent.append(...['person', 'easy', 'hard'].map((value) => make('option', { value, textContent: texts[value] })));
opponent.value = load('opponent', '{{opponent}}');
$('controls').append(opponent);
$('board').append(...Array.from({ length: 9 }, () => make('button', { type: 'button' })));

const isAlone = () => opponent.value !== 'person';
const isOver = () => Boolean(winningLine(squares)) || freeSquares(squares).length === 0;
const nameOf = (one) => PLAYERS[one === 'X' ? 0 : 1];

function message() {
  if (winningLine(squares)) {
    const winner = otherMark(mark);
    if (isAlone()) return winner === 'X' ? texts.youWin : texts.youLose;
    return format(texts.wins, { name: nameOf(winner) });
  }
  if (isOver()) return texts.draw;
  return isAlone() && mark === 'X' ? texts.yourTurn : format(texts.turn, { name: nameOf(mark) });
}

function draw() {
  const line = winningLine(squares) ?? [];
  for (const [at, button] of [...$('board').children].entries()) {
    const [row, column] = [Math.floor(at / 3) + 1, (at % 3) + 1];
    button.dataset.mark = squares[at];
    button.ariaLabel = format(texts.square, { row, column, mark: squares[at] || texts.empty });
    button.classList.toggle('won', line.includes(at));
  }
  show({ message: message(), ...load('score', none), again: isOver() ? texts.playAgain : texts.newGame });
}

function take(at) {
  squares[at] = mark;
  mark = otherMark(mark);
  if (isOver()) {
    const winner = winningLine(squares) ? otherMark(mark).toLowerCase() : 'draws';
    const score = load('score', none);
    save('score', { ...score, [winner]: score[winner] + 1 });
  }
  draw();
  if (isAlone() && mark === 'O' && !isOver()) timer = setTimeout(() => take((opponent.value === 'hard' ? bestMove : easyMove)(squares, 'O')), THINKING);
}

function begin() {
  clearTimeout(timer);
  squares = Array(9).fill('');
  mark = 'X';
  draw();
}

$('board').addEventListener('click', (event) => {
  const at = [...$('board').children].indexOf(event.target);
  if (at >= 0 && !squares[at] && !isOver() && !(isAlone() && mark === 'O')) take(at);
});
$('again').addEventListener('click', begin);
opponent.addEventListener('change', () => {
  save('opponent', opponent.value);
  save('score', none);
  begin();
});
moveByArrows($('board'), () => 3);
begin();
