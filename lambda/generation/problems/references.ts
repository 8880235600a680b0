import { LIMITS } from '../../contract/limits.ts';
import { dataPathOf } from '../../sites/data-url.ts';
import { isHtml } from '../../sites/paths.ts';
import type { Reference, Source } from './parts.ts';
import type { ProjectTree, Target } from './project-tree.ts';
import type { ProjectKind } from './sources.ts';

const RELATIVE_MODULE = /^\.{0,2}\/|^\.\.?$/;
const WITH_SCHEME = /^(?:[a-z][a-z\d+.-]*:|#)/i;
/** Binary files, which a model cannot write. */
const BINARY = /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|mp[34]|webm|ogg|wav|m4a|mov|pdf|woff2?|ttf|otf|zip)$/i;

/** Reports if a reference of source is followed by visitors: scripts and style sheets are the build's. */
function isFollowed({ path }: Source, { use }: Reference): boolean {
  return isHtml(path) && (use === 'page' || use === 'resource');
}

/** Checks references as a browser resolves them, or Node.js or a bundler for the files that those execute. */
export class ReferenceCheck {
  readonly #tree: ProjectTree;
  readonly #kind: ProjectKind;
  readonly #pages: readonly string[];
  readonly #hasData: boolean;

  /** @param hasData whether URLs below `.data/` are those of the site's data */
  constructor(tree: ProjectTree, kind: ProjectKind, pages: readonly string[], hasData: boolean) {
    this.#tree = tree;
    this.#kind = kind;
    this.#pages = pages;
    this.#hasData = hasData;
  }

  /** Yields the certain problems with the references of a file, one sentence each. */
  *problems(source: Source): Iterable<string> {
    const seen = new Set<string>();
    for (const reference of source.parts.references) {
      const key = `${reference.use} ${reference.specifier}`;
      if (seen.has(key) || reference.specifier.length > LIMITS.pathBytes) continue;
      seen.add(key);
      const problem = this.#problem(source, reference);
      if (problem !== undefined) yield problem;
    }
  }

  #problem(source: Source, reference: Reference): string | undefined {
    const { specifier, use } = reference;
    if (this.#kind.source && !isFollowed(source, reference)) return undefined;
    if (this.#hasData && dataPathOf(specifier) !== undefined) return undefined;
    const target = this.#tree.target(source.path, specifier, source.parts.base);
    const inBrowser = !this.#kind.bundled && (isHtml(source.path) || this.#kind.inBrowser.has(source.path));
    switch (use) {
      case 'page':
      case 'resource':
      case 'script':
        return target && this.#address(source, reference, target);
      case 'import':
        if (!RELATIVE_MODULE.test(specifier)) return inBrowser ? this.#package(specifier) : undefined;
        return (
          target && (inBrowser ? this.#browserModule(specifier, target) : this.#module(specifier, target))
        );
      case 'require':
        return target && RELATIVE_MODULE.test(specifier) ? this.#module(specifier, target) : undefined;
      case 'url':
        // A program may refer to files and folders that it will write.
        if (!inBrowser || this.#kind.served || specifier.endsWith('/')) return undefined;
        return target && !this.#tree.served(target) ? this.#missing(specifier, target) : undefined;
      case 'worker':
        return target && this.#worker(specifier, target);
    }
  }

  #address({ path, parts }: Source, { specifier, use }: Reference, target: Target): string | undefined {
    const { bundled, built, served, routed, answers } = this.#kind;
    if (this.#tree.served(target) !== undefined) return undefined;
    if (served && (target.fromRoot || use === 'page')) return undefined;
    if (use === 'page' && (routed || built) && !/\.[^/]*$/.test(target.path)) return undefined;
    if (built && /^\/?(?:dist|build|out)\//.test(target.path)) return undefined;
    if (bundled && path.endsWith('.css') && !/^\.{0,2}\//.test(specifier)) return undefined;
    const atRoot = this.#atRoot(specifier, target);
    if (served && (this.#tree.served(atRoot) !== undefined || answers(atRoot.path))) return undefined;
    // The references of a fragment are relative to the page that includes it.
    if (parts.fragment && this.#pages.some((page) => this.#found(page, specifier))) return undefined;
    return this.#missing(specifier, target);
  }

  #found(from: string, specifier: string): boolean {
    const target = this.#tree.target(from, specifier);
    return target !== undefined && this.#tree.served(target) !== undefined;
  }

  /** Resolves a reference from the root, where programs usually serve pages from any folder. */
  #atRoot(specifier: string, target: Target): Target {
    return { ...(this.#tree.target('', specifier) ?? target), fromRoot: true };
  }

  #package(specifier: string): string | undefined {
    if (WITH_SCHEME.test(specifier) && !specifier.startsWith('node:')) return undefined;
    const { importMap } = this.#kind;
    if (importMap.some((name) => name === specifier || (name.endsWith('/') && specifier.startsWith(name))))
      return undefined;
    return `It imports the package "${specifier}", which a browser cannot load: write the needed code in a file of the project`;
  }

  #browserModule(specifier: string, target: Target): string | undefined {
    if (this.#tree.exact(target) !== undefined) return undefined;
    const meant = this.#tree.module(target);
    return meant === undefined
      ? this.#missing(specifier, target)
      : `It imports "${specifier}", but a browser needs the full name of the file, "${meant}"`;
  }

  #module(specifier: string, target: Target): string | undefined {
    return this.#tree.module(target) === undefined ? this.#missing(specifier, target) : undefined;
  }

  /** The URL of a worker may be relative to the page, to the script, or to the folder of the program. */
  #worker(specifier: string, target: Target): string | undefined {
    if (this.#tree.module(target) || this.#kind.served) return undefined;
    const found = ['index.html', ...this.#pages].some((page) => this.#found(page, specifier));
    return found ? undefined : this.#missing(specifier, target);
  }

  #missing(specifier: string, target: Target): string {
    const twin = this.#tree.twin(target);
    if (twin !== undefined)
      return `"${specifier}" refers to a missing file: the name differs in case from "${twin}"`;
    const hint = BINARY.test(target.path) ? '; use a text format, such as SVG, or remove the reference' : '';
    return `"${specifier}" refers to a missing file${hint}`;
  }
}
