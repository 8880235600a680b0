/** The values of an expression's metrics; undefined for a metric without a value in the period. */
export type Values = Readonly<Record<string, number | undefined>>;

type Value = number | undefined;

const TOKEN = /\s*(>=|<=|==|!=|[()+\-*/,<>]|\d+(?:\.\d+)?|[A-Za-z_]\w*)/y;

/**
 * Returns the value of a metric math expression in a period; as on AWS, undefined if a metric that it needs has no value.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 * @param quotas of the metrics of AWS/Usage, by the id of the metric
 * @throws Error for a function that the local cloud does not support
 */
export function evaluate(expression: string, values: Values, quotas: Values = {}): Value {
  return new Parser(tokensOf(expression), values, quotas).whole();
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const [, token] = TOKEN.exec(expression) ?? [];
    if (token === undefined) throw new Error(`The local cloud does not support the expression ${expression}`);
    tokens.push(token);
  }
  return tokens;
}

/** Applies an operator to two values, if both are defined. */
function apply(operator: string, left: Value, right: Value): Value {
  if (left === undefined || right === undefined) return undefined;
  const results: Readonly<Record<string, number>> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': left / right,
    '>': Number(left > right),
    '<': Number(left < right),
    '>=': Number(left >= right),
    '<=': Number(left <= right),
    '==': Number(left === right),
    '!=': Number(left !== right),
  };
  return results[operator];
}

/** Operators by precedence, lowest first. */
const LEVELS = [
  ['>', '<', '>=', '<=', '==', '!='],
  ['+', '-'],
  ['*', '/'],
] as const;

class Parser {
  readonly #tokens: readonly string[];
  readonly #values: Values;
  readonly #quotas: Values;
  #at = 0;

  constructor(tokens: readonly string[], values: Values, quotas: Values) {
    this.#tokens = tokens;
    this.#values = values;
    this.#quotas = quotas;
  }

  whole(): Value {
    const value = this.#operation(0);
    if (this.#at < this.#tokens.length) throw new Error(`Unexpected ${this.#tokens[this.#at]}`);
    return value;
  }

  #operation(level: number): Value {
    const operators: readonly string[] | undefined = LEVELS[level];
    if (operators === undefined) return this.#operand();
    let value = this.#operation(level + 1);
    for (;;) {
      const operator = this.#tokens[this.#at] ?? '';
      if (!operators.includes(operator)) return value;
      this.#at++;
      value = apply(operator, value, this.#operation(level + 1));
    }
  }

  #operand(): Value {
    const token = this.#next();
    if (token === '(') {
      const value = this.#operation(0);
      this.#expect(')');
      return value;
    }
    if (/^\d/.test(token)) return Number(token);
    if (this.#tokens[this.#at] === '(') return this.#call(token);
    return this.#value(token);
  }

  #call(name: string): Value {
    this.#expect('(');
    if (name === 'SERVICE_QUOTA') {
      const quota = this.#quotas[this.#next()];
      this.#expect(')');
      return quota;
    }
    const values = [this.#operation(0)];
    while (this.#tokens[this.#at] === ',') {
      this.#at++;
      values.push(this.#operation(0));
    }
    this.#expect(')');
    const [first, second, third] = values;
    if (name === 'FILL') return first ?? second;
    if (name === 'IF') return first ? second : third;
    throw new Error(`The local cloud does not support ${name} in metric math`);
  }

  #value(id: string): Value {
    if (!Object.hasOwn(this.#values, id)) throw new Error(`The expression has no metric ${id}`);
    return this.#values[id];
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error('The expression ends too early');
    this.#at++;
    return token;
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) throw new Error(`Unexpected ${found}: expected ${token}`);
  }
}
