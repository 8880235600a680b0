import { isHtml } from '../../sites/entry.ts';
import { lookupsOf } from './lookup-functions.ts';
import type { Argument, Lookup, Parts, Reference, Source } from './parts.ts';
import type { ProjectKind } from './project-kind.ts';
import type { ProjectTree } from './project-tree.ts';
import type { Script, Sources } from './sources.ts';
import { Vocabulary } from './vocabulary.ts';

const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;
const RELATIVE = /^\.{0,2}\//;
/** Maximum size of a project: its words must fit into the memory of the function. */
const MOST_CHARACTERS = 4_000_000;
const README = /(?:^|\/)readme\b/i;

/**
 * Checks that something in a project defines the ids and classes that its scripts look up: an attribute, a string, or a
 * part of a string that a program may complete. Must be used with complete projects only: a missing file may define them.
 */
export class ElementCheck {
  readonly #tree: ProjectTree;
  readonly #scripts: ReadonlyMap<string, Script>;
  readonly #vocabulary = new Vocabulary();
  readonly #words = new Map<string, number>();
  /** The lookups of the files that browsers load. */
  readonly #lookups = new Map<string, readonly Lookup[]>();

  constructor(sources: Sources, tree: ProjectTree, kind: ProjectKind) {
    this.#tree = tree;
    this.#scripts = new Map(sources.scripts.map((script) => [script.path, script]));
    if (!isCertain(sources, kind)) return;
    for (const source of sources.all) {
      const lookups = [...this.#read(source)];
      if (isHtml(source.path) || kind.inBrowser.has(source.path)) this.#lookups.set(source.path, lookups);
    }
  }

  /** Yields a message for each lookup of a file that can find nothing. */
  *problems({ path }: Source): Iterable<string> {
    for (const { attribute, name, call, within } of this.#lookups.get(path) ?? []) {
      const defined = this.#vocabulary.mayContain(attribute, name);
      if (!defined && within.every((function_) => this.#isUsed(function_)))
        yield `${call} finds no element: nothing in the project defines the ${attribute} "${name}"`;
    }
  }

  /** Adds the texts of a file to the vocabularies, and returns its lookups. */
  *#read({ path, content, parts }: Source): Iterable<Lookup> {
    if (parts.elements === undefined) {
      if (!README.test(path))
        this.#vocabulary.add({ text: content, only: path.endsWith('.css') ? 'class' : undefined });
      return;
    }
    const { lookups, vocabulary, calls, words } = parts.elements;
    for (const [word, count] of words) this.#words.set(word, count + (this.#words.get(word) ?? 0));
    this.#vocabulary.addAll(vocabulary);
    yield* lookups;
    const imported = this.#imported(path, parts);
    for (const call of calls) {
      const reads = imported.get(call.name);
      if (reads === undefined) this.#vocabulary.add(call.argument);
      else if (!call.optional) yield* lookupsOf(call, reads);
    }
  }

  /** Returns whether the name of a function occurs outside of its declaration, such as in a handler of a page. */
  #isUsed(name: string): boolean {
    return (this.#words.get(name) ?? 0) > 1 || this.#vocabulary.mayContain('id', name);
  }

  /** Returns the functions that look up elements and that a file imports with their names. */
  #imported(path: string, { imports = [], base }: Parts): ReadonlyMap<string, Argument> {
    const found = new Map<string, Argument>();
    for (const { name, specifier } of imports) {
      const target = this.#tree.target(path, specifier, base);
      const module = target && this.#tree.exact(target);
      const reads = module && this.#scripts.get(module)?.parts.elements.functions.get(name);
      if (reads) found.set(name, reads);
    }
    return found;
  }
}

/** Returns whether the files contain all that defines elements: no other program or site does. */
function isCertain({ all, pages, scripts }: Sources, { bundled, built, served }: ProjectKind): boolean {
  if (bundled || built || served || !scripts.every(({ path }) => /\.[cm]?js$/i.test(path))) return false;
  if (all.reduce((sum, { content }) => sum + content.length, 0) > MOST_CHARACTERS) return false;
  return [...pages, ...scripts].every(
    ({ parts: { elements, references } }) => !elements.opaque && !references.some(isForeign),
  );
}

/** Returns whether a script of another site or a package, which may define elements, is loaded. */
function isForeign({ specifier, use }: Reference): boolean {
  return use === 'script' ? ELSEWHERE.test(specifier) : use === 'import' && !RELATIVE.test(specifier);
}
