import { byPath } from '../entry.ts';
import { sourceText } from './source-text.ts';

/** Where a project without a page has the component that is its page, in order of precedence. */
const NAMES = ['App', 'page', 'app/page', 'index', 'src/App', 'src/page', 'src/app/page', 'src/index'];
const COMPONENT = /\.[jt]sx$/;
const DEFAULT_EXPORT = /\bexport\s{1,9}default\b|\bexport\s{0,9}\{[^}]{0,2000}\bdefault\b/;

/** Returns the path of the component whose default export is the page of a project without HTML, or undefined. */
export function lonePath(files: ReadonlyMap<string, string | Uint8Array>): string | undefined {
  const components = [...files.keys()].filter((path) => COMPONENT.test(path)).toSorted(byPath);
  const named = NAMES.flatMap((name) =>
    components.filter((path) => path.replace(COMPONENT, '').toLowerCase() === name.toLowerCase()),
  );
  const candidates = components.length === 1 ? components : named;
  return candidates.find((path) => DEFAULT_EXPORT.test(sourceText(files.get(path))));
}
