import { DURATIONS, type Duration } from '../../lambda/contract/generate.ts';
import { none } from '../kinds/none/kind.ts';
import { accentShades } from '../kit/palette.ts';
import { slug } from '../kit/phrases.ts';
import type { Brief, Kind, Language, Picture, ProjectFile, Values } from '../kit/types.ts';
import { chooseKind } from './choose.ts';
import { fill } from './fill.ts';
import { KINDS } from './kinds.ts';
import { readLayer } from './layers.ts';
import { readPrompt } from './read-prompt.ts';
import { languageOf, pageTexts, scriptTexts } from './texts.ts';

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
function templatesOf(kind: Kind, depth: number): ProjectFile[] {
  const layers = DURATIONS.slice(0, depth + 1).flatMap((duration) => kind.layers[duration]);
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
    offline: paths.includes('service-worker.js'),
    tests: paths.some((path) => path.startsWith('test/')),
    ...own,
  };
}

/** Returns the name of the kind whose starter a prompt gets, or null if no starter fits it. */
export const matchPrompt = (prompt: string): string | null =>
  chooseKind(readPrompt(prompt), KINDS)?.name ?? null;

/**
 * Composes a project from the templates of the kind that fits a prompt best, or a page that says that none does. The same arguments always give the same
 * bytes; the only side effect is that templates are read from disk once.
 * @param prompt any text; it is escaped for the language of every file that it appears in
 * @param duration how deep the project goes: each duration adds layers to those of the shorter ones
 * @param lang the language of the interface, in place of the one that the prompt asks for
 * @param pictures shown by the kinds that have a place for them
 */
export function compose(
  prompt: string,
  duration: Duration,
  lang?: Language,
  pictures: readonly Picture[] = [],
): ProjectFile[] {
  const read = { ...readPrompt(prompt), pictures };
  const brief = lang === undefined ? read : { ...read, lang };
  const kind = chooseKind(brief, KINDS) ?? none;
  const depth = DURATIONS.indexOf(duration);
  const templates = templatesOf(kind, depth);
  const values = valuesFor(kind, brief, depth, templates);
  return templates.map(({ path, content }) => ({
    path,
    content: fill(content, path.slice(path.lastIndexOf('.') + 1), values),
  }));
}
