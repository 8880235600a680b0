import { type BuildContext, splitQuery } from '../context.ts';
import { textOf } from '../files.ts';
import { addSheet } from './css.ts';
import type { Language } from './language.ts';
import { type Compiler, EXPORT_MODULE, VueComponent } from './vue-component.ts';
import { VueFiles } from './vue-files.ts';

const EXPORT_CODE = `export default (component, properties) => {
  const target = component.__vccOpts || component;
  for (const [name, value] of properties) target[name] = value;
  return target;
};`;

/** Components of Vue. Their style blocks become modules such as `src/App.vue?vue&type=style&index=0.css`. */
export function vue(context: BuildContext): Language {
  const styles = new Map<string, string>();
  const files = new VueFiles(context);
  return {
    resolve: (specifier) => (specifier === EXPORT_MODULE || styles.has(specifier) ? specifier : undefined),
    async load(id) {
      if (id === EXPORT_MODULE) return { code: EXPORT_CODE, moduleType: 'js', moduleSideEffects: false };
      const style = styles.get(id);
      const { path } = splitQuery(id);
      if (style !== undefined) return { code: addSheet(id, path, style, context), moduleType: 'js' };
      const source = id.endsWith('.vue') ? textOf(context.project, id) : undefined;
      if (source === undefined) return undefined;
      return new VueComponent(path, source, await loadCompiler(), context, files).compile(styles);
    },
  };
}

/** The build for browsers has no file system, and none of the template engines that the other one requires. */
async function loadCompiler(): Promise<Compiler> {
  // @ts-expect-error The types are those of the package.
  return (await import('@vue/compiler-sfc/dist/compiler-sfc.esm-browser.js')) as Compiler;
}
