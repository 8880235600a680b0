import { isHtml } from '../../sites/paths.ts';
import { projectKind } from '../../sites/source/kind.ts';
import { isServerLanguage, isServerModule, serverOf } from '../../sites/source/server.ts';
import type { WrittenFile } from '../../stored/projects/stored-project.ts';
import { cssParts, type PageParts, readHtml } from './html.ts';
import { readScript, type ScriptParts } from './javascript.ts';
import type { Source } from './parts.ts';
import { readLineComments } from './placeholders.ts';
import type { ProjectTree } from './project-tree.ts';

/** The parsed files of a project: all of them, and those of each kind. */
export interface Sources {
  readonly all: readonly Source[];
  readonly pages: readonly Source<PageParts>[];
  readonly scripts: readonly Source<ScriptParts>[];
}

/** Parses each file by its language, in the order of the files. */
export function readSources(files: readonly WrittenFile[]): Sources {
  const all: Source[] = [];
  const pages: Source<PageParts>[] = [];
  const scripts: Source<ScriptParts>[] = [];
  for (const { path, content } of files) {
    if (isHtml(path)) {
      const page = { path, content, parts: readHtml(content) };
      pages.push(page);
      all.push(page);
    } else if (/\.(?:[cm]?[jt]s|[jt]sx)$/i.test(path)) {
      const script = { path, content, parts: readScript(content) };
      scripts.push(script);
      all.push(script);
    } else if (/\.(?:vue|svelte)$/i.test(path)) {
      const { data, forms } = readHtml(content);
      all.push({
        path,
        content,
        parts: { references: [], comments: readLineComments(path, content), data, forms },
      });
    } else {
      const css = /\.css$/i.test(path);
      const parts = css ? cssParts(content) : { references: [], comments: readLineComments(path, content) };
      all.push({ path, content, parts });
    }
  }
  return { all, pages, scripts };
}

/** How a project is executed, which decides how its references are resolved. */
export interface ProjectKind {
  /** A deploy builds it. The build resolves what its code refers to, and says what is wrong. */
  readonly source: boolean;
  /**
   * A bundler resolves packages, and modules without file extensions, for the browser: of source, or of a framework.
   */
  readonly bundled: boolean;
  /** A build writes files that do not exist yet. */
  readonly built: boolean;
  /** A program responds to URLs that are not files. */
  readonly served: boolean;
  /** Reports if such a program may respond to a path. */
  readonly answers: (path: string) => boolean;
  /** The pages change their URL without loading it. */
  readonly routed: boolean;
  /** The names in the import maps of its pages. */
  readonly importMap: readonly string[];
  /** The scripts that a page loads, directly or through other scripts. */
  readonly inBrowser: ReadonlySet<string>;
}

export function kindOf({ all, pages, scripts }: Sources, tree: ProjectTree): ProjectKind {
  const manifests = all.filter(({ path }) => /(?:^|\/)package\.json$/.test(path));
  const imports = scripts.flatMap(({ parts }) => parts.references);
  const { kind } = projectKind(new Map(all.map(({ path, content }) => [path, content])));
  return {
    source: kind === 'source',
    bundled: kind !== 'site',
    built: manifests.some(({ content }) => /"build"\s*:/.test(content)),
    served:
      all.some(({ path }) => isServerLanguage(path)) ||
      imports.some(({ specifier, use }) => use !== 'url' && isServerModule(specifier)),
    answers: serverOf(new Map(all.map(({ path, content }) => [path, content]))),
    routed: [...pages, ...scripts].some(({ parts }) => parts.routes),
    importMap: pages.flatMap(({ parts }) => parts.importMap ?? []),
    inBrowser: loadedByPages({ pages, scripts }, tree),
  };
}

function loadedByPages({ pages, scripts }: Pick<Sources, 'pages' | 'scripts'>, tree: ProjectTree) {
  const byPath = new Map(scripts.map((script) => [script.path, script]));
  const loaded = new Set<string>();
  // The loop over this set includes the scripts that are added during the loop.
  const load = (from: string, specifier: string, base?: string) => {
    const target = tree.target(from, specifier, base);
    const path = target && tree.exact(target);
    if (path !== undefined && byPath.has(path)) loaded.add(path);
  };
  for (const { path, parts } of pages) {
    for (const { specifier, use } of parts.references) if (use !== 'page') load(path, specifier, parts.base);
  }
  for (const path of loaded) {
    for (const { specifier } of byPath.get(path)?.parts.references ?? []) load(path, specifier);
  }
  return loaded;
}
