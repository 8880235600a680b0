import type { Plugin } from 'rolldown';
import type { BuildContext } from '../context.ts';

/**
 * Returns the plugins that compile what the engine does not: Vue, Svelte, Solid, assets, globs, URLs, variables, routers.
 *
 * They come before the engine's plugin. It resolves every specifier, also with a query, to the path of a file of the project, so that
 * most of them only load and transform; it loads scripts and JSON without a query, and rejects everything else.
 */
export function languagePlugins(_context: BuildContext): Plugin[] {
  return [];
}
