import { DURATIONS, type Duration } from '../../lambda/contract/generate.ts';
import { accentShades, contrast } from '../kit/palette.ts';
import { shorten, slug } from '../kit/phrases.ts';
import type { Brief, Kind, ProjectFile, Values } from '../kit/types.ts';
import { chooseKind } from './choose.ts';
import { fill } from './fill.ts';
import { KINDS } from './kinds.ts';
import { readLayer } from './layers.ts';
import { readPrompt } from './read-prompt.ts';

export type { ProjectFile } from '../kit/types.ts';

const QUOTED_PROMPT = 1_000;

/** What visitors may choose instead of the project's own accent. */
const OTHER_COLORS = {
  Blue: '#2563eb',
  Green: '#15803d',
  Red: '#dc2626',
  Violet: '#7c3aed',
  Slate: '#475569',
};

const rank = (path: string): number => (path === 'index.html' ? 0 : path === 'README.md' ? 2 : 1);

/** index.html first, README.md last, by code unit in between: the same everywhere. */
function inReadingOrder(a: ProjectFile, b: ProjectFile): number {
  return rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1);
}

/** What every template may name; the kind's own values come last and win. */
function valuesFor(kind: Kind, brief: Brief, depth: number): Values {
  const accent = accentShades(brief.accent || kind.accent);
  const own = kind.values(brief);
  const packageName = slug(own.title, kind.name);
  return {
    lang: brief.lang,
    theme: brief.theme,
    accentLight: accent.light,
    accentDark: accent.dark,
    accentInUrl: encodeURIComponent(accent.light),
    accentContrast: contrast(accent.light, '#ffffff').toFixed(1),
    colors: [
      { name: 'As designed', ...accent },
      ...Object.entries(OTHER_COLORS).map(([name, color]) => ({ name, ...accentShades(color) })),
    ],
    kind: kind.name,
    packageName,
    backupName: `${packageName}-backup.json`,
    initial: Array.from(own.title)[0]?.toUpperCase() ?? '',
    prompt: shorten(brief.text, QUOTED_PROMPT) || 'Nothing in particular.',
    from5min: depth >= 1,
    from10min: depth >= 2,
    ...own,
  };
}

/**
 * Composes a project for a prompt from the templates of the kind that fits it best.
 * Pure but for reading the templates at their first use; the same arguments give the same bytes.
 * @param prompt any text; what it says is escaped wherever it lands
 * @param duration how deep: each adds the layers of its own to those before, so that the files only grow
 */
export function compose(prompt: string, duration: Duration): ProjectFile[] {
  const brief = readPrompt(prompt);
  const kind = chooseKind(brief, KINDS);
  const depth = DURATIONS.indexOf(duration);
  const values = valuesFor(kind, brief, depth);
  const layers = DURATIONS.slice(0, depth + 1).flatMap((each) => kind.layers[each]);
  // A layer may replace a file of one before it.
  const templates = new Map(layers.flatMap(readLayer).map((template) => [template.path, template]));
  return [...templates.values()]
    .map(({ path, content }) => ({
      path,
      content: fill(content, path.slice(path.lastIndexOf('.') + 1), values),
    }))
    .sort(inReadingOrder);
}
