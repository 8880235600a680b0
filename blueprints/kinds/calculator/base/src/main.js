import { evaluate, format } from './evaluate.js';
import { load, save } from './store.js';
import { lang, texts } from './texts.js';

const TAPE_LENGTH = 50;
const KEYS = { '*': '×', '/': '÷', '-': '−', ',': '.', Enter: '=', Escape: 'C', Backspace: '⌫', Delete: 'C' };
const DECIMAL = (1.5).toLocaleString(lang)[1];
const OPERATORS = '+−×÷^%';

const $ = (id) => document.getElementById(id);
let expression = '';
let finished = false;
let tape = load('tape', []);

/** Returns the value of the current input, or undefined while it is not a valid expression. */
function preview() {
  try {
    return evaluate(expression);
  } catch {
    return undefined;
  }
}

/** Writes numbers as the language does: expressions have a point, and some languages a comma. */
const written = (text) => text.replaceAll('.', DECIMAL);

function show(result = '') {
  $('expression').textContent = written(expression) || '0';
  $('expression').scrollLeft = $('expression').scrollWidth;
  $('result').textContent = written(result);
}

function insert(text) {
  const continues = OPERATORS.includes(text[0]);
  if (finished && !continues) expression = '';
  finished = false;
  // A second operator replaces the first, except a minus that makes a number negative.
  const replaces = '+×÷^'.includes(text) || (text === '−' && '+−'.includes(expression.at(-1)));
  if (replaces && /[+−×÷^]$/.test(expression)) expression = expression.replace(/[+−×÷^]+$/, '');
  if (expression === '' && '+×÷^%'.includes(text[0])) expression = '0';
  expression += text;
  const value = preview();
  const isMoreThanANumber = /[^\d.]/.test(expression);
  show(value !== undefined && isMoreThanANumber ? `= ${format(value)}` : '');
}

/** Inserts a result: after an operator as the next operand, otherwise as a new expression. */
function insertValue(result) {
  if (!/[+−×÷^(]$/.test(expression)) expression = '';
  insert(/^[\d.]+$/.test(result) ? result : `(${result})`);
}

function equals() {
  const value = preview();
  if (expression === '') return;
  if (value === undefined) return show(texts.incomplete);
  const result = format(value);
  if (!Number.isFinite(value)) return show(result);
  if (result !== expression) {
    tape = [{ expression, result }, ...tape].slice(0, TAPE_LENGTH);
    save('tape', tape);
    showTape();
  }
  const asked = expression;
  expression = result;
  finished = true;
  show(`${asked} =`);
}

const ACTIONS = {
  equals,
  clear() {
    expression = '';
    finished = false;
    show();
  },
  back() {
    expression = finished ? '' : expression.replace(/(?:[a-z√]+\(|.)$/u, '');
    finished = false;
    show();
  },
};

function showTape() {
  $('tape').replaceChildren(
    ...tape.map(({ expression, result }) => {
      const [item, button, sum, value] = ['li', 'button', 'span', 'strong'].map((name) => document.createElement(name));
      button.type = 'button';
      sum.textContent = `${written(expression)} =`;
      value.textContent = written(result);
      button.append(sum, value);
      button.addEventListener('click', () => insertValue(result));
      item.append(button);
      return item;
    }),
  );
  $('hint').hidden = tape.length > 0;
  $('clear-tape').hidden = tape.length === 0;
}

function press(button) {
  const { insert: text, action } = button.dataset;
  if (text) insert(text);
  else ACTIONS[action]();
}

$('keys').addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button) press(button);
});

$('clear-tape').addEventListener('click', () => {
  tape = [];
  save('tape', tape);
  showTape();
});

// After a click, Enter computes instead of pressing the same button again.
document.addEventListener('click', ({ target, detail }) => detail > 0 && target.closest('button')?.blur());

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('dialog')) return;
  // Enter and the space bar press the button that has the focus.
  if (event.key === 'Enter' && event.target.closest('button')) return;
  const label = KEYS[event.key] ?? event.key;
  const button = [...$('keys').querySelectorAll('button')].find(
    ({ dataset, textContent }) => dataset.insert === label || (dataset.action && textContent === label),
  );
  if (!button) return;
  event.preventDefault();
  press(button);
  button.classList.add('pressed');
  setTimeout(() => button.classList.remove('pressed'), 120);
});

show();
showTape();
