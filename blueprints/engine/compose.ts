import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DURATIONS, type Duration } from '../../lambda/contract/generate.ts';
import { none } from '../kinds/none/kind.ts';
import { accentShades } from '../kit/palette.ts';
import { slug } from '../kit/phrases.ts';
import {
  type Brief,
  type Kind,
  LANGUAGES,
  type Language,
  type Picture,
  type ProjectFile,
  type SiteData,
  type Values,
} from '../kit/types.ts';
import { chooseKind } from './choose.ts';
import { fill } from './fill.ts';
import { KINDS } from './kinds.ts';
import { readPrompt } from './read-prompt.ts';

export type { ProjectFile } from '../kit/types.ts';

function rank(path: string): number {
  if (path === 'index.html') return 0;
  return path === 'README.md' ? 2 : 1;
}

/** Sorts index.html first, README.md last, and the rest by code unit, so that the order never depends on a locale. */
function inReadingOrder(a: ProjectFile, b: ProjectFile): number {
  return rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1);
}

/** The templates of a kind at a depth. A layer may replace a file of one before it. */
function templatesOf(kind: Kind, depth: number, data: SiteData | undefined): ProjectFile[] {
  const layers = DURATIONS.slice(0, depth + 1).flatMap((duration) => kind.layers[duration]);
  if (data) layers.push(...(kind.data?.layers ?? []));
  if (data?.ownOrigins) layers.push(...(kind.data?.owner ?? []));
  const templates = new Map(layers.flatMap(readLayer).map((template) => [template.path, template]));
  return [...templates.values()].sort(inReadingOrder);
}

/** The values that every template may name. Values of the kind itself take precedence. */
function valuesFor(kind: Kind, brief: Brief, depth: number, templates: readonly ProjectFile[]): Values {
  const lang = languageOf(kind.name, brief.lang);
  const texts = pageTexts(kind.name, lang);
  const accent = accentShades(brief.accent || kind.accent);
  const own = kind.values({ ...brief, lang }, texts);
  const paths = templates.map(({ path }) => path);
  const served = paths.filter((path) => /^(?!test\/|service-worker).+\.(?:html|css|js|svg)$/.test(path));
  return {
    ...texts,
    lang,
    promptLang: brief.promptLang,
    texts: scriptTexts(kind.name, lang, templates),
    theme: brief.theme,
    accentLight: accent.light,
    accentDark: accent.dark,
    packageName: slug(own.title, kind.name),
    pageFiles: ['./', ...served, ...brief.pictures.map(({ src }) => src)],
    from5min: depth >= 1,
    from10min: depth >= 2,
    hasData: brief.data !== undefined,
    ownOrigins: brief.data?.ownOrigins ?? false,
    hasOwner: paths.includes('owner.css'),
    offline: paths.includes('service-worker.js'),
    tests: paths.some((path) => path.startsWith('test/')),
    ...own,
  };
}

/** Returns the name of the kind whose starter a prompt gets, or null if no starter fits it. */
export const matchPrompt = (prompt: string, data?: SiteData): string | null =>
  chooseKind({ ...readPrompt(prompt), data }, KINDS)?.name ?? null;

interface ComposeOptions {
  /** The language of the interface, in place of the one that the prompt asks for. */
  readonly lang?: Language | undefined;
  /** Shown by the kinds that have a place for them. */
  readonly pictures?: readonly Picture[];
  /** What the data of the project's site can do; without them, nothing is shared. */
  readonly data?: SiteData | undefined;
}

/**
 * Composes a project from the templates of the kind that fits a prompt best, or a page that says that none does. The same arguments always give the same
 * bytes; the only side effect is that templates are read from disk once.
 * @param prompt any text; it is escaped for the language of every file that it appears in
 * @param duration how deep the project goes: each duration adds layers to those of the shorter ones
 */
export function compose(
  prompt: string,
  duration: Duration,
  { lang, pictures = [], data }: ComposeOptions = {},
): ProjectFile[] {
  const read = { ...readPrompt(prompt), pictures, data };
  const asked = lang === undefined ? read : { ...read, lang };
  const kind = chooseKind(asked, KINDS) ?? none;
  const usesData = kind.data?.fits?.(asked) ?? kind.data !== undefined;
  const brief = usesData ? asked : { ...asked, data: undefined };
  const depth = DURATIONS.indexOf(duration);
  const templates = templatesOf(kind, depth, brief.data);
  const values = valuesFor(kind, brief, depth, templates);
  return templates.map(({ path, content }) => ({
    path,
    content: fill(content, path.slice(path.lastIndexOf('.') + 1), values),
  }));
}

// In a bundle this module is a file at the top, and the templates are in a folder beside it.
const BUNDLED = fileURLToPath(new URL('./blueprints/', import.meta.url));
const ROOT = existsSync(BUNDLED) ? BUNDLED : fileURLToPath(new URL('../', import.meta.url));

const PARTIAL = /^([ \t]*)(?:<!--|\/\*) > ([\w-]+) (?:-->|\*\/)\n/gm;

const layers = new Map<string, readonly ProjectFile[]>();

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/**
 * Puts partials in the place of their marks: `<!-- > head -->` is `shared/partials/head.html` in an HTML file, each line
 * indented as the mark is. Partials may hold marks of their own.
 */
function include(template: string, extension: string): string {
  return template.replace(PARTIAL, (_mark, indent: string, name: string) => {
    const partial = readFileSync(join(ROOT, 'shared', 'partials', `${name}.${extension}`), 'utf8');
    return include(partial, extension).replace(/^(?=.)/gm, indent);
  });
}

/** Returns the folder of `shared` or a layer of it, such as `shared/page`, or of a kind or a layer of it, such as `todo/base`. */
export function folderOf(name: string): string {
  return name.split('/')[0] === 'shared' ? join(ROOT, name) : join(ROOT, 'kinds', name);
}

/** The templates of one layer, such as `todo/base`, with their partials. Reads them from disk once. */
function readLayer(layer: string): readonly ProjectFile[] {
  const known = layers.get(layer);
  if (known) return known;
  const folder = folderOf(layer);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: relative(folder, file).replaceAll(sep, '/'),
      content: include(readFileSync(file, 'utf8'), extensionOf(file)),
    }));
  layers.set(layer, files);
  return files;
}

type Columns = Readonly<Record<string, readonly string[]>>;
/** A texts.json: each text has one column per language. Those of `page` are values of templates, those of `script` of modules. */
export interface TextFile {
  readonly page?: Columns;
  readonly script?: Columns;
}

const files = new Map<string, TextFile | undefined>();

/** Reads the texts.json of a kind, or of `shared`, once. Returns undefined if it has none. */
function readTexts(folder: string): TextFile | undefined {
  const path = join(folderOf(folder), 'texts.json');
  if (!files.has(folder)) files.set(folder, existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);
  return files.get(folder);
}

/** The language of a kind's interface: English if the kind is not translated. */
export const languageOf = (kind: string, language: Language): Language => (readTexts(kind) ? language : 'en');

function textsOf(part: keyof TextFile, kind: string, language: Language): Record<string, string> {
  const column = LANGUAGES.indexOf(language);
  const columns = { ...readTexts('shared')?.[part], ...readTexts(kind)?.[part] };
  return Object.fromEntries(Object.entries(columns).map(([name, texts]) => [name, texts[column] ?? '']));
}

/** Returns the texts of a kind's pages, and the shared ones, in a language. */
const pageTexts = (kind: string, language: Language) => textsOf('page', kind, language);

/** Returns the texts for the modules of a project. Texts that no module names are left out. */
function scriptTexts(kind: string, language: Language, templates: readonly ProjectFile[]) {
  const words = new Set(
    templates.flatMap(({ path, content }) => (path.endsWith('.js') ? (content.match(/\w+/g) ?? []) : [])),
  );
  const texts = Object.entries(textsOf('script', kind, language));
  return Object.fromEntries(texts.filter(([name]) => words.has(name)));
}
