import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language, type ProjectFile } from '../kit/types.ts';
import { folderOf } from './layers.ts';

type Columns = Readonly<Record<string, readonly string[]>>;
/** A texts.json: each text has one column per language. Those of `page` are values of templates, those of `script` of modules. */
export interface TextFile {
  readonly page?: Columns;
  readonly script?: Columns;
}

const files = new Map<string, TextFile | undefined>();

/** Reads the texts.json of a kind, or of `shared`, once. Returns undefined if it has none. */
export function readTexts(folder: string): TextFile | undefined {
  const path = join(folderOf(folder), 'texts.json');
  if (!files.has(folder))
    files.set(folder, existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);
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
export const pageTexts = (kind: string, language: Language) => textsOf('page', kind, language);

/** Returns the texts for the modules of a project. Texts that no module names are left out. */
export function scriptTexts(kind: string, language: Language, templates: readonly ProjectFile[]) {
  const words = new Set(
    templates.flatMap(({ path, content }) => (path.endsWith('.js') ? (content.match(/\w+/g) ?? []) : [])),
  );
  const texts = Object.entries(textsOf('script', kind, language));
  return Object.fromEntries(texts.filter(([name]) => words.has(name)));
}
