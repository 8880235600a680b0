import type MagicString from 'magic-string';
import type { PluginContext } from 'rolldown';
import { type ParseResult, parseSync } from 'rolldown/utils';
import type { BuildContext } from '../context.ts';

/** A module of own code that is being rewritten. */
export interface Rewrite {
  readonly context: BuildContext;
  readonly bundler: PluginContext;
  readonly id: string;
  readonly path: string;
  readonly code: string;
  readonly edits: MagicString;
  /** Adds an import; the same one once. */
  addImport(statement: string): void;
  /** Throws the error for a node. */
  fail(node: Node, message: string): never;
  warn(node: Node, message: string): void;
}

/** A node of the syntax tree (ESTree, with those of JSX and TypeScript). Offsets are in UTF-16 code units. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/**
 * Is called for a node, its parent and the parent's property that it is in; returns whether it has dealt with all of
 * the node.
 */
export type Visitor = (node: Node, parent: Node | undefined, key: string) => boolean;

/** Types whose tree is of types only: strings in it are no values. */
const isType = (node: Node): boolean => node.type.startsWith('TS') && !VALUES.has(node.type);
const VALUES = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'TSEnumDeclaration',
  'TSEnumBody',
  'TSEnumMember',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSExportAssignment',
  'TSParameterProperty',
]);

const LANGUAGES = ['js', 'jsx', 'ts', 'tsx'] as const;
type ScriptLanguage = (typeof LANGUAGES)[number];

/** Reports if modules of a type are scripts. */
export const isLanguage = (moduleType: string): moduleType is ScriptLanguage =>
  LANGUAGES.some((language) => language === moduleType);

/** Returns the syntax tree; undefined if there are errors, which the bundler reports with their place. */
export function parseModule(code: string, lang: ScriptLanguage): Node | undefined {
  // Plain scripts may have JSX, as those of templates of React do.
  const options = { lang: lang === 'js' ? 'jsx' : lang, sourceType: 'module' } as const;
  const result: ParseResult = parseSync(`module.${lang}`, code, options);
  return result.errors.length === 0 ? (result.program as unknown as Node) : undefined;
}

/**
 * Calls `visit` for each node that is not a type, parents first. It returns whether to skip the children of the node.
 * Keeps its own stack: code may be nested deeper than calls can be.
 */
export function walk(program: Node, visit: Visitor): void {
  const stack: { node: Node; parent: Node | undefined; key: string }[] = [
    { node: program, parent: undefined, key: '' },
  ];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, parent, key } = next;
    if (isType(node)) continue;
    if (visit(node, parent, key)) continue;
    for (const property in node) {
      const value = node[property];
      if (Array.isArray(value)) {
        for (const item of value) if (isNode(item)) stack.push({ node: item, parent: node, key: property });
      } else if (isNode(value)) {
        stack.push({ node: value, parent: node, key: property });
      }
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** Around an expression without changing its value: `(a)`, `a as T`, `a!`. */
const WRAPPERS = /^(?:ParenthesizedExpression|ChainExpression|TS(?:As|Satisfies|NonNull)Expression|TSTypeAssertion)$/;

/** Returns an expression without parentheses and types: models write `(import.meta as any).env`. */
export function bare(node: unknown): Node | undefined {
  let inner = node;
  while (isNode(inner) && WRAPPERS.test(inner.type)) inner = inner.expression;
  return isNode(inner) ? inner : undefined;
}

/** The value of a string or of a template without expressions; undefined for anything else. */
export function stringOf(expression: unknown): string | undefined {
  const node = bare(expression);
  if (!node) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node.quasis as readonly Node[];
  return quasis.length === 1 ? cookedOf(quasis[0]) : undefined;
}

/** The text of a part of a template. */
export const cookedOf = (quasi: Node | undefined): string =>
  (quasi?.value as { readonly cooked?: string } | undefined)?.cooked ?? '';

/** The name of a property: of `a.b` and `a['b']`. */
export function propertyOf(member: Node): string | undefined {
  const property = member.property as Node;
  return member.computed ? stringOf(property) : (property.name as string);
}

/** Reports if an expression is `import.meta`. */
export function isImportMeta(expression: unknown): boolean {
  const node = bare(expression);
  return node?.type === 'MetaProperty' && (node.meta as Node).name === 'import';
}

/** Reports if an expression is `import.meta.<name>`. */
export function isOfImportMeta(expression: unknown, name: string): boolean {
  const node = bare(expression);
  return node?.type === 'MemberExpression' && isImportMeta(node.object) && propertyOf(node) === name;
}

/** Reports if a node is an identifier of that name. */
export const isNamed = (node: unknown, name: string): boolean =>
  isNode(node) && node.type === 'Identifier' && node.name === name;

/** Reports if a node is `new URL(…, import.meta.url)`. */
export function isUrlOfModule(node: unknown): node is Node {
  if (!isNode(node) || node.type !== 'NewExpression' || !isNamed(node.callee, 'URL')) return false;
  const args = node.arguments as readonly Node[];
  return args.length === 2 && isOfImportMeta(args[1], 'url');
}
