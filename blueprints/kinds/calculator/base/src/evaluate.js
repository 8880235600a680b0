import { texts } from './texts.js';

const FUNCTIONS = { sin: Math.sin, cos: Math.cos, tan: Math.tan, ln: Math.log, log: Math.log10, '√': Math.sqrt };
const CONSTANTS = { π: Math.PI, e: Math.E };
const TOKEN = /\s*(\d+\.?\d*|\.\d+|sin|cos|tan|ln|log|[√πe()+\-−×*÷/^%])/y;

function tokenize(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text);
    if (!match) throw new SyntaxError(`cannot read “${text}”`);
    tokens.push(match[1]);
  }
  return tokens;
}

/**
 * Evaluates an expression such as “12.5 × (4 + 1)” with the usual order of operations. Angles are in radians.
 * “200 + 10%” adds ten per cent of 200, as pocket calculators do. The value may be infinite or NaN.
 * Throws SyntaxError for an invalid expression.
 */
export function evaluate(text) {
  const tokens = tokenize(text);
  let at = 0;
  const takes = (...wanted) => (wanted.includes(tokens[at]) ? tokens[at++] : undefined);

  function sum() {
    let value = product();
    for (let operator = takes('+', '-', '−'); operator; operator = takes('+', '-', '−')) {
      const start = at;
      let right = product();
      const isPercentage = at === start + 2 && tokens[at - 1] === '%';
      if (isPercentage) right *= value;
      value = operator === '+' ? value + right : value - right;
    }
    return value;
  }

  function product() {
    let value = signed();
    for (;;) {
      if (takes('×', '*')) value *= signed();
      else if (takes('÷', '/')) value /= signed();
      else if (startsFactor(tokens[at])) value *= signed();
      else return value;
    }
  }

  // “2π” and “3(4 + 1)” multiply without a sign.
  const startsFactor = (token) => token === '(' || token in FUNCTIONS || token in CONSTANTS;

  function signed() {
    return takes('-', '−') ? -signed() : power();
  }

  function power() {
    let value = atom();
    while (takes('%')) value /= 100;
    return takes('^') ? value ** signed() : value;
  }

  function atom() {
    const token = tokens[at++];
    if (token in CONSTANTS) return CONSTANTS[token];
    if (token in FUNCTIONS) return FUNCTIONS[token](atom());
    if (token === '(') {
      const value = sum();
      // A parenthesis may stay open at the end.
      if (at < tokens.length && !takes(')')) throw new SyntaxError(`cannot read “${text}”`);
      return value;
    }
    if (token === undefined || Number.isNaN(Number(token))) throw new SyntaxError('the expression is not finished');
    return Number(token);
  }

  const value = sum();
  if (at < tokens.length) throw new SyntaxError(`cannot read “${text}”`);
  return value;
}

/** Formats a value for the display: 0.1 + 0.2 is 0.3, and very large or small values use powers of ten. */
export function format(value) {
  if (Number.isNaN(value)) return texts.notNumber;
  if (!Number.isFinite(value)) return texts.zero;
  return String(Number(value.toPrecision(12))).replace(/e\+?/, '×10^').replaceAll('-', '−');
}
