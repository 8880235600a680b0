import type { DataFeatures } from '../../contract/site-features.ts';
import {
  type Declaration,
  declarationWarnings,
  needsOwnOrigin,
  parseDeclaration,
} from '../../sites/data/declaration.ts';
import { DATA_FILE } from '../../sites/data/declaration-text.ts';
import { countedUses, type DataForm, type DataUse, lineOf, undeclaredUse } from '../../sites/parts/data-uses.ts';
import type { Source } from '../../sites/parts/parts.ts';
import { DATA_CLIENT } from '../../sites/paths.ts';
import type { ProjectKind, ProjectTree, Sources } from './sources.ts';

/** A call that creates an item of something else than the fields of a form; the name is that of the collection, if the code is like most. */
const CREATED = /\b(\w+)\.create\(\s*(?!\s|new FormData\()/g;

const CLIENT = `.data/${DATA_CLIENT}`;

/** Maximum number of problems of one file: finding a line takes as long as the file. */
const MOST = 20;

/** Checks what a project declares of its site's data against what its files use. */
export class DataCheck {
  readonly #features: DataFeatures | undefined;
  readonly #kind: ProjectKind;
  readonly #file: Source | undefined;
  readonly #declaration: Declaration | undefined;
  /** Why the declaration cannot be read. */
  readonly #invalid: string | undefined;
  readonly #uses: ReadonlySet<DataUse>;
  /** What scripts call `create` of, without a form's fields as they are. */
  readonly #creators: ReadonlySet<string>;

  /** @param features what data can do; undefined if sites of the stage have none: nothing is checked */
  constructor({ all }: Sources, tree: ProjectTree, kind: ProjectKind, features: DataFeatures | undefined) {
    this.#features = features;
    this.#kind = kind;
    this.#file = features && all.find(({ path }) => path === declarationPath(tree, kind));
    const read = this.#file && readDeclaration(this.#file.content);
    this.#declaration = read instanceof Map ? { collections: read } : undefined;
    this.#invalid = typeof read === 'string' ? read : undefined;
    this.#uses = new Set(countedUses(all.flatMap(({ parts }) => parts.data ?? [])));
    const calls = this.#declaration ? all.flatMap(({ content }) => [...content.matchAll(CREATED)]) : [];
    this.#creators = new Set(calls.map(([, name = '']) => name));
  }

  /** The path of the declaration. */
  get path(): string | undefined {
    return this.#file?.path;
  }

  /** Reports if a file is the declaration, whose JSON is checked here. */
  isDeclaration({ path }: Source): boolean {
    return path === this.path;
  }

  /** Returns what the person who has the project made should know, and no model should change, one sentence each. */
  notes(): string[] {
    return this.#warnings(false);
  }

  #warnings(mistakes: boolean): string[] {
    const file = this.#file;
    if (file === undefined || this.#declaration === undefined) return [];
    return declarationWarnings(this.#declaration)
      .filter(({ isMistake }) => isMistake === mistakes)
      .map(({ collection, message }) => `Line ${declarationLine(file, collection)}: ${message}`);
  }

  /** Returns the problems of a file with data, one sentence each. */
  *problems(source: Source): Iterable<string> {
    if (this.#features === undefined) return;
    let left = MOST;
    for (const problem of this.#everyProblem(source)) {
      yield problem;
      if (--left === 0) return;
    }
  }

  *#everyProblem(source: Source): Iterable<string> {
    const { data = [], forms = [] } = source.parts;
    if (this.isDeclaration(source)) yield* this.#declarationProblems(source);
    for (const use of data) {
      const message = this.#uses.has(use) ? this.#useProblem(use) : undefined;
      if (message !== undefined) yield `Line ${lineOf(source.content, use.index)} ${message}`;
    }
    for (const form of forms)
      for (const message of this.#formProblems(form))
        yield `Line ${lineOf(source.content, form.index)}: the form to "${form.action}" ${message}`;
  }

  *#declarationProblems(file: Source): Iterable<string> {
    if (this.#invalid !== undefined) yield this.#invalid;
    if (this.#declaration === undefined) return;
    const rule = needsOwnOrigin(this.#declaration);
    if (rule !== undefined && !this.#features?.ownOrigins)
      yield `${rule} needs sites with an origin of their own, which this service does not give them: leave it out`;
    yield* this.#warnings(true);
    const uses = [...this.#uses];
    if (uses.some(({ isOpen }) => isOpen)) return;
    const used = new Set(uses.map(({ collection }) => collection));
    for (const name of this.#declaration.collections.keys())
      if (!used.has(name))
        yield `Line ${declarationLine(file, name)} declares the collection "${name}", which no file uses`;
  }

  #useProblem({ collection, url }: DataUse): string | undefined {
    if (url?.startsWith('/') && !(this.#kind.source && url.endsWith(CLIENT)))
      return `has the URL "${url}" at the root of the domain, where other sites may be: write "./${url.replace(/^\/+/, '')}"`;
    if (this.#invalid !== undefined) return undefined;
    return undeclaredUse({ collection }, this.#declaration?.collections.keys(), this.#place);
  }

  get #place(): string {
    return this.#kind.source ? 'in public/' : 'beside index.html';
  }

  /** Reports if a script may send more than the fields of a form into a collection, such as the score of a game with a name. */
  #isSentByScript(collection: string): boolean {
    const others = this.#declaration?.collections;
    return [...this.#creators].some((name) => name !== 'Object' && (name === collection || !others?.has(name)));
  }

  *#formProblems({ collection, isPost, fields, isOpen }: DataForm): Iterable<string> {
    if (!isPost) yield 'needs method="post"';
    const schema = this.#declaration?.collections.get(collection)?.schema;
    if (schema === undefined) return;
    const names = [...schema.properties.keys()];
    const unknown = fields.filter((field) => !names.includes(field.replace(/\[\]$/, '')));
    if (unknown.length > 0)
      yield `has ${listed('field', unknown)} that the schema of ${collection} does not declare, so that it is not stored: its fields are ${names.join(', ')}`;
    const missing = [...schema.required].filter((name) => !fields.includes(name));
    if (missing.length > 0 && fields.length > 0 && !isOpen && !this.#isSentByScript(collection))
      yield `lacks ${listed('field', missing)}, which the schema of ${collection} requires`;
  }
}

/** Returns where a deploy reads the declaration of a project. */
function declarationPath(tree: ProjectTree, { source }: ProjectKind): string | undefined {
  const beside = tree.entry.slice(0, tree.entry.lastIndexOf('/') + 1) + DATA_FILE;
  const places = source ? [`public/${DATA_FILE}`, DATA_FILE, beside] : [beside, DATA_FILE];
  return places.find((path) => tree.exact({ path, fromRoot: false }) !== undefined);
}

/** Returns the collections, or why they cannot be read. */
function readDeclaration(text: string): Declaration['collections'] | string {
  try {
    return parseDeclaration(text).collections;
  } catch (error) {
    return String(Object(error).message).replace(`${DATA_FILE}: `, '');
  }
}

function declarationLine({ content }: Source, collection: string): number {
  return lineOf(content, Math.max(0, content.indexOf(`"${collection}"`)));
}

function listed(noun: string, names: readonly string[]): string {
  return `the ${noun}${names.length > 1 ? 's' : ''} ${names.map((name) => `"${name}"`).join(', ')}`;
}
