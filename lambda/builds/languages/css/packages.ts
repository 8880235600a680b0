import type { ProjectConfig } from '../../config/settings.ts';
import type { Files } from '../../files.ts';
import type { PackageTree } from '../../packages/package-tree.ts';
import type { Sheet } from '../style-context.ts';
import { isExternal, resolveReference, textOf } from './resolve.ts';
import { scanStyles } from './scan.ts';
import { isShipped } from './shipped.ts';

const NO_PACKAGES: PackageTree = { files: new Map(), versions: new Map(), resolve: () => undefined };
const ENDINGS = ['', '.css', '/index.css'];
const NAME = /^(@[a-z0-9~_.-]+\/)?[a-z0-9~_-][a-z0-9~_.-]*/i;

/**
 * Returns the names of the packages that style sheets of a project import, without those of the service.
 * @throws BuildError for brackets, texts and comments that are not closed
 */
export function importedPackages(
  sheets: readonly Sheet[],
  project: Files,
  config: ProjectConfig,
): Set<string> {
  const files = { project, packages: NO_PACKAGES, config };
  const names = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...sheets];
  for (const { path, css } of waiting) {
    const { rules } = scanStyles(path, css);
    const references = rules
      .filter(({ name }) => name === 'import' || name === 'reference')
      .map(({ text }) => text?.value ?? '');
    for (const reference of references.filter((each) => !isExternal(each))) {
      const found = resolveReference(reference.replace(/[?#].*$/s, ''), path, files, ENDINGS);
      const name = found === undefined ? NAME.exec(reference)?.[0] : undefined;
      if (found !== undefined && !seen.has(found)) {
        seen.add(found);
        waiting.push({ path: found, css: textOf(found, files) });
      } else if (name !== undefined && !isShipped(name)) {
        names.add(name);
      }
    }
  }
  return names;
}
