import type MagicString from 'magic-string';
import type { PluginContext } from 'rolldown';
import type { BuildContext } from '../context.ts';
import type { Node } from './syntax.ts';

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
