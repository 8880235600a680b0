import type { Plugin } from 'rolldown';
import type { BuildContext } from '../context.ts';
import { assetsPlugin } from './assets.ts';
import { rewritePlugin } from './rewrite.ts';
import { solidPlugin } from './solid.ts';
import { sveltePlugin } from './svelte.ts';
import { virtualModulesPlugin } from './virtual.ts';
import { vuePlugin } from './vue.ts';

/**
 * Returns the plugins that compile what the engine does not: Vue, Svelte, Solid, assets, globs, URLs, variables, routers.
 *
 * They come before the engine's plugin. It resolves every specifier, also with a query, to the path of a file of the project, so that
 * most of them only load and transform; it loads scripts and JSON without a query, and rejects everything else.
 */
export function languagePlugins(context: BuildContext): Plugin[] {
  return [
    virtualModulesPlugin(context),
    assetsPlugin(context),
    vuePlugin(context),
    sveltePlugin(context),
    solidPlugin(context),
    rewritePlugin(context),
  ];
}
