import { posix } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { type Files, textOf } from '../files.ts';
import { isNestedTooDeeply } from './parse.ts';
import { Callback, Host, ObjectValue, RegularExpression, resultOfCall, Unknown, type Value } from './values.ts';

/** Bounds of the parser's stack, of one configuration file, and of an evaluation. */
const LIMITS = { bracketsOpen: 500, sourceLength: 32_000, steps: 50_000, depth: 100, size: 10_000 };
const EXTENSIONS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.json', '/index.js', '/index.ts'];

/** Tests of texts in functions such as `(tag) => tag.startsWith('x-')`. */
const TEXT_TESTS = new Set(['startsWith', 'endsWith', 'includes']);

/** The environment variables that a build finds: npm sets some from package.json. */
const ENVIRONMENT = /^global\.process\.env\.(?:NODE_ENV|npm_package_(name|version))$/;

type Program = ReturnType<typeof parseSync>['program'];
type Statement = Program['body'][number];
/** Expressions have too many types to name each: nodes are told apart by `type`, as in ESTree. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Node = any;

/** Names and what they stand for, evaluated when they are used. */
type Scope = Map<string, () => Value>;

/** One evaluation of a configuration file and of those that it imports. */
interface Evaluation {
  readonly files: Files;
  /** Returns a module that is no file of the project; undefined if it is not known. */
  readonly known: (specifier: string) => Value | undefined;
  /** The result of Vite's `loadEnv`. */
  readonly variables: Value;
  readonly modules: Map<string, ObjectValue>;
  steps: number;
  depth: number;
}

/** The file and the names that an expression sees. */
interface Surroundings {
  readonly path: string;
  readonly scope: Scope;
  readonly evaluation: Evaluation;
}

/** A file that the parser rejects. */
export class ConfigSyntaxError extends Error {
  override readonly name = 'ConfigSyntaxError';
  readonly path: string;
  readonly offset: number;

  constructor(path: string, offset: number, message: string) {
    super(message);
    this.path = path;
    this.offset = offset;
  }
}

/**
 * Returns what a configuration file exports as default, or as `module.exports`. Nothing of the project runs: literals,
 * spreads, references to constants and known modules are evaluated, and other expressions are `Unknown`.
 * @throws ConfigSyntaxError
 */
export function evaluateConfig(
  files: Files,
  path: string,
  known: Evaluation['known'] = () => undefined,
  variables?: Value,
): Value {
  const evaluation: Evaluation = { files, known, variables, modules: new Map(), steps: 0, depth: 0 };
  return moduleOf(path, evaluation).entries.get('default');
}

/** Returns the exports of a file of the project; of a cycle, those that are known so far. */
function moduleOf(path: string, evaluation: Evaluation): ObjectValue {
  const known = evaluation.modules.get(path);
  if (known) return known;
  const exported = new ObjectValue();
  evaluation.modules.set(path, exported);
  const source = new TextDecoder().decode(evaluation.files.get(path));
  const isJson = path.endsWith('.json');
  const program = parsed(path, isJson ? `export default ${source}` : source);
  const around: Surroundings = { path, scope: new Map(), evaluation };
  for (const statement of program.body) declare(statement, around);
  for (const statement of program.body) exportFrom(statement, around, exported);
  const whole = exported.entries.get('default');
  if (isJson && whole instanceof ObjectValue)
    for (const [name, value] of whole.entries) if (name !== 'default') exported.entries.set(name, value);
  return exported;
}

function parsed(path: string, source: string): Program {
  if (source.length > LIMITS.sourceLength || isNestedTooDeeply(source, LIMITS.bracketsOpen)) {
    throw new ConfigSyntaxError(path, 0, 'This file is too large to be read as configuration');
  }
  const { program, errors } = parseSync(path.replace(/\.json$|\.[cm]?js$/, '.ts'), source);
  const [error] = errors;
  if (error) throw new ConfigSyntaxError(path, error.labels[0]?.start ?? 0, error.message);
  return program;
}

/** Adds the names that a statement declares to the scope. */
function declare(statement: Statement, around: Surroundings): void {
  const node: Node = statement;
  if (node.type === 'ExportNamedDeclaration' && node.declaration) {
    declare(node.declaration, around);
  } else if (node.type === 'ImportDeclaration') {
    for (const specifier of node.specifiers) {
      const name = specifier.imported?.name ?? (specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*');
      around.scope.set(
        specifier.local.name,
        once(() => imported(node.source.value, name, node.start, around)),
      );
    }
  } else if (node.type === 'VariableDeclaration' && node.kind === 'const') {
    for (const { id, init } of node.declarations) {
      bind(
        id,
        once(() => evaluate(init, around)),
        around,
      );
    }
  } else if (node.type === 'FunctionDeclaration' && node.id) {
    around.scope.set(node.id.name, () => functionValue(node, around));
  }
}

/** Binds a name, or the names of an object pattern, to a value. */
function bind(pattern: Node, value: () => Value, around: Surroundings): void {
  if (pattern.type === 'Identifier') {
    around.scope.set(pattern.name, value);
  } else if (pattern.type === 'ObjectPattern') {
    for (const { type, key, value: inner } of pattern.properties) {
      if (type === 'Property' && key.type === 'Identifier') {
        bind(inner, () => memberOf(value(), key.name, { path: around.path, offset: key.start }), around);
      }
    }
  }
}

/** Evaluates at the first use, and not again for a name that depends on itself. */
function once(compute: () => Value): () => Value {
  let result: { value: Value } | undefined;
  return () => {
    if (!result) {
      result = { value: undefined };
      result.value = compute();
    }
    return result.value;
  };
}

function exportFrom(statement: Statement, around: Surroundings, exported: ObjectValue): void {
  const node: Node = statement;
  if (node.type === 'ExportDefaultDeclaration') {
    exported.entries.set('default', evaluate(node.declaration, around));
  } else if (node.type === 'ExportNamedDeclaration' && node.declaration?.type === 'VariableDeclaration') {
    for (const { id } of node.declaration.declarations) {
      exported.entries.set(id.name, around.scope.get(id.name)?.());
    }
  } else if (node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression') {
    const { left, right } = node.expression;
    if (left.type === 'MemberExpression' && left.object.name === 'module' && left.property.name === 'exports') {
      exported.entries.set('default', evaluate(right, around));
    }
  }
}

/** Returns a name that a module exports: of a file of the project, or of a known module. */
function imported(specifier: string, name: string, offset: number, around: Surroundings): Value {
  const { path, evaluation } = around;
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier);
    const found = EXTENSIONS.map((extension) => target + extension).find((file) => evaluation.files.has(file));
    const exported = found === undefined ? undefined : moduleOf(found, evaluation);
    if (name === 'require' && exported) return exported.entries.get('default') ?? exported;
    return exported?.entries.get(name) ?? new Unknown({ path, offset });
  }
  const known = evaluation.known(specifier);
  const isWhole = name === 'default' || name === '*' || name === 'require';
  if (known === undefined) return new Unknown({ path, offset }, isWhole ? specifier : `${specifier}.${name}`);
  return isWhole ? known : memberOf(known, name, { path, offset });
}

/** Returns the value of an expression. */
function evaluate(node: Node, around: Surroundings): Value {
  const { evaluation } = around;
  const at = { path: around.path, offset: node?.start ?? 0 };
  evaluation.steps += 1;
  if (!node || evaluation.steps > LIMITS.steps || evaluation.depth >= LIMITS.depth) return new Unknown(at);
  evaluation.depth += 1;
  try {
    const value = valueOfNode(node, around) ?? undefined;
    return isTooLarge(value) ? new Unknown(at) : value;
  } finally {
    evaluation.depth -= 1;
  }
}

function isTooLarge(value: Value): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > LIMITS.size;
}

function valueOfNode(node: Node, around: Surroundings): Value {
  const at = { path: around.path, offset: node.start };
  switch (node.type) {
    case 'Literal':
      if (node.regex) return new RegularExpression(at, node.regex.pattern);
      return node.bigint ? new Unknown(at) : node.value;
    case 'TemplateLiteral':
      return templateValue(node, around);
    case 'ArrayExpression':
      return arrayValue(node, around);
    case 'ObjectExpression':
      return objectValue(node, around);
    case 'Identifier':
      return identifierValue(node, around);
    case 'MemberExpression':
      return memberValue(node, around);
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'ChainExpression':
      return evaluate(node.expression, around);
    case 'UnaryExpression':
    case 'BinaryExpression':
      return operatorValue(node, around);
    case 'LogicalExpression':
    case 'ConditionalExpression':
      return branchValue(node, around);
    case 'CallExpression':
    case 'NewExpression':
      return callValue(node, around);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return functionValue(node, around);
    default:
      return new Unknown(at);
  }
}

function templateValue(node: Node, around: Surroundings): Value {
  let text = node.quasis[0].value.cooked;
  for (const [index, expression] of node.expressions.entries()) {
    const value = evaluate(expression, around);
    if (typeof value !== 'string' && typeof value !== 'number') {
      return new Unknown({ path: around.path, offset: expression.start });
    }
    text += value + node.quasis[index + 1].value.cooked;
  }
  return text;
}

function arrayValue(node: Node, around: Surroundings): Value {
  return node.elements.flatMap((element: Node) => {
    if (element?.type !== 'SpreadElement') return [evaluate(element, around)];
    const spread = evaluate(element.argument, around);
    return Array.isArray(spread) ? spread : [new Unknown({ path: around.path, offset: element.start })];
  });
}

function objectValue(node: Node, around: Surroundings): Value {
  const object = new ObjectValue();
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = evaluate(property.argument, around);
      const entries = spread instanceof ObjectValue ? spread.entries : [];
      for (const [name, value] of entries) {
        object.entries.set(name, value);
        object.places.set(name, { path: around.path, offset: property.start });
      }
      if (!(spread instanceof ObjectValue)) {
        // Under a name that no object has, so that the conversion finds what was left out.
        object.entries.set(`…${property.start}`, new Unknown({ path: around.path, offset: property.start }));
      }
      continue;
    }
    const name = property.computed ? evaluate(property.key, around) : (property.key.name ?? property.key.value);
    if (typeof name === 'string' || typeof name === 'number') {
      object.entries.set(String(name), evaluate(property.value, around));
      object.places.set(String(name), { path: around.path, offset: property.start });
    }
  }
  return object;
}

function identifierValue(node: Node, around: Surroundings): Value {
  const bound = around.scope.get(node.name);
  if (bound) return bound();
  if (node.name === '__dirname') return posix.dirname(`/${around.path}`);
  return node.name === 'undefined'
    ? undefined
    : new Unknown({ path: around.path, offset: node.start }, `global.${node.name}`);
}

function memberValue(node: Node, around: Surroundings): Value {
  const at = { path: around.path, offset: node.start };
  if (node.object.type === 'MetaProperty') {
    const meta = new Map([
      ['url', `file:///${around.path}`],
      ['dirname', posix.dirname(`/${around.path}`)],
    ]);
    return meta.get(node.property.name) ?? new Unknown(at);
  }
  const name = node.computed ? evaluate(node.property, around) : node.property.name;
  const object = evaluate(node.object, around);
  if (typeof name !== 'string' && typeof name !== 'number') return new Unknown(at);
  const member = memberOf(object, String(name), at);
  const variable = member instanceof Unknown ? ENVIRONMENT.exec(member.origin) : null;
  if (!variable) return member;
  const [, ofManifest] = variable;
  if (ofManifest === undefined) return 'production';
  const { files } = around.evaluation;
  return files.has('package.json') ? moduleOf('package.json', around.evaluation).entries.get(ofManifest) : member;
}

/** Returns an own property of data. Nothing reaches a prototype or a property of a function. */
function memberOf(object: Value, name: string, at: Unknown['at']): Value {
  if (object instanceof ObjectValue) return object.entries.get(name);
  if (Array.isArray(object)) return (object as readonly Value[])[Number(name)];
  if (object instanceof Unknown && object.origin !== '') return new Unknown(at, `${object.origin}.${name}`);
  if (name === 'pathname' && typeof object === 'string' && object.startsWith('file:///')) {
    return object.slice('file://'.length);
  }
  return name === 'theme' && object instanceof Host && object.theme ? object : new Unknown(at);
}

function operatorValue(node: Node, around: Surroundings): Value {
  const at = { path: around.path, offset: node.start };
  if (node.type === 'UnaryExpression') {
    const value = evaluate(node.argument, around);
    if (node.operator === '-' && typeof value === 'number') return -value;
    return node.operator === '!' && !(value instanceof Unknown) ? !value : new Unknown(at);
  }
  const left = evaluate(node.left, around);
  const right = evaluate(node.right, around);
  const isKnown = isPrimitive(left) && isPrimitive(right);
  if (isKnown && (node.operator === '===' || node.operator === '!==')) {
    return (left === right) === (node.operator === '===');
  }
  return node.operator === '+' && typeof left === 'string' && isKnown ? left + right : new Unknown(at);
}

function isPrimitive(value: Value): value is string | number | boolean | null | undefined {
  return typeof value !== 'object' || value === null;
}

function branchValue(node: Node, around: Surroundings): Value {
  const test = evaluate(node.test ?? node.left, around);
  if (test instanceof Unknown) return new Unknown({ path: around.path, offset: node.start });
  if (node.type === 'ConditionalExpression') return evaluate(test ? node.consequent : node.alternate, around);
  const takesRight = { '&&': Boolean(test), '||': !test, '??': test === null || test === undefined };
  return takesRight[node.operator as '&&' | '||' | '??'] ? evaluate(node.right, around) : test;
}

function callValue(node: Node, around: Surroundings): Value {
  const { callee } = node;
  const { evaluation } = around;
  if (callee.type === 'MemberExpression' && callee.property.name === 'filter') {
    // `[…].filter(Boolean)` drops plugins of the development server.
    const items = evaluate(callee.object, around);
    if (Array.isArray(items) && node.arguments[0]?.name === 'Boolean') {
      return (items as readonly Value[]).filter(Boolean);
    }
  }
  const at = { path: around.path, offset: node.start };
  const args: Value[] = node.arguments.map((argument: Node) => evaluate(argument, around));
  if (callee.type === 'MemberExpression' && TEXT_TESTS.has(callee.property.name)) {
    const text = evaluate(callee.object, around);
    const name: 'startsWith' | 'endsWith' | 'includes' = callee.property.name;
    if (typeof text === 'string' && typeof args[0] === 'string') return text[name](args[0]);
    if (Array.isArray(text) && name === 'includes') return (text as readonly Value[]).includes(args[0]);
  }
  return resultOfCall(evaluate(callee, around), args, at, {
    require: (specifier) => imported(specifier, 'require', node.start, around),
    read: (path) => textOf(evaluation.files, posix.resolve('/', path.replace('file://', '')).slice(1)),
    variables: evaluation.variables,
  });
}

/** A function whose body is an expression, or constants and a `return`. */
function functionValue(node: Node, around: Surroundings): Value {
  return new Callback({ path: around.path, offset: node.start }, (args) => {
    const inner: Surroundings = { ...around, scope: new Map(around.scope) };
    for (const [index, parameter] of node.params.entries()) bind(parameter, () => args[index], inner);
    if (node.body.type !== 'BlockStatement') return evaluate(node.body, inner);
    for (const statement of node.body.body) declare(statement, inner);
    const last: Node = node.body.body.at(-1);
    const isSimple = node.body.body.every((each: Node) => each === last || each.type === 'VariableDeclaration');
    return isSimple && last?.type === 'ReturnStatement'
      ? evaluate(last.argument, inner)
      : new Unknown({ path: around.path, offset: node.start });
  });
}
