import type { BuildContext } from '../context.ts';
import { cssModule } from './styles.ts';

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
