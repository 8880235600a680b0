import type { Plugin } from 'rolldown';
import { type BuildContext, splitQuery } from '../context.ts';
import { textOf } from '../files.ts';
import { cssModule } from './styles.ts';

/** Collects the style sheets that scripts import; a CSS module exports its class names. */
export function cssPlugin(context: BuildContext): Plugin {
  return {
    name: 'css',
    load: {
      filter: { id: /^[^\0?]*\.css$/i },
      handler(id) {
        const { path } = splitQuery(id);
        const css = textOf(context.project, path);
        return css === undefined ? undefined : { code: addSheet(id, path, css, context), moduleType: 'js' };
      },
    },
  };
}

/** Adds a style sheet to the build, and returns the code of its module. */
export function addSheet(id: string, path: string, css: string, { sheets }: BuildContext): string {
  if (!/\.module\.css$/i.test(id)) {
    sheets.set(id, { path, css });
    return '';
  }
  const module = cssModule(path, css);
  sheets.set(id, { path, css: module.css });
  return module.code;
}
