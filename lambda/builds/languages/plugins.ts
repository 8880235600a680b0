import type { Plugin } from 'rolldown';
import type { BuildContext } from '../context.ts';
import { assets } from './assets.ts';
import { json } from './json.ts';
import type { Language } from './language.ts';
import { rewriteModule } from './rewrite-module.ts';
import { solid } from './solid.ts';
import { svelte } from './svelte.ts';
import { virtualModules } from './virtual.ts';
import { vue } from './vue.ts';

/**
 * Returns the plugin that compiles what the engine does not: Vue, Svelte, Solid, assets, globs, URLs, variables, routers.
 *
 * It comes before the engine's plugin, which resolves every specifier, also with a query, to the path of a file of the project, so that
 * most languages only load. It is one plugin, and has no filters: calls between the bundler and JavaScript take longer than they do.
 */
export function languagePlugins(context: BuildContext): Plugin[] {
  const languages: Language[] = [
    virtualModules(context),
    assets(context),
    json(context),
    vue(context),
    svelte(context),
    solid(context),
  ];
  const plugin: Plugin = {
    name: 'languages',
    resolveId(specifier) {
      for (const { resolve } of languages) {
        const id = resolve?.(specifier);
        if (id !== undefined) return id;
      }
      return null;
    },
    async load(id) {
      for (const { load } of languages) {
        const loaded = await load(id, this);
        if (loaded !== undefined) return loaded;
      }
      return null;
    },
    transform(code, id, { moduleType }) {
      return rewriteModule(code, id, moduleType, context, this);
    },
  };
  return [plugin];
}
