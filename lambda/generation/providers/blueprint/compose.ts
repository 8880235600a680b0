import { chooseKind } from './choose.ts';
import { fill } from './fill.ts';
import { KINDS } from './kinds/index.ts';
import { accentShades } from './palette.ts';
import { readPrompt } from './read-prompt.ts';
import { readLayer } from './templates.ts';
import type { ProjectFile } from './types.ts';

export type { ProjectFile } from './types.ts';

const rank = (path: string): number => (path === 'index.html' ? 0 : path === 'README.md' ? 2 : 1);

/** index.html first, README.md last, by code unit in between: the same everywhere. */
function inReadingOrder(a: ProjectFile, b: ProjectFile): number {
  return rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1);
}

/**
 * Composes a project for a prompt from the templates of the kind that fits it best.
 * Pure but for reading the templates at their first use; the same prompt gives the same bytes.
 * @param prompt any text; what it says is escaped wherever it lands
 */
export function compose(prompt: string, _duration: 'auto' | '5min' | '10min'): ProjectFile[] {
  const brief = readPrompt(prompt);
  const kind = chooseKind(brief, KINDS);
  const accent = accentShades(brief.accent || kind.accent);
  const values = {
    lang: brief.lang,
    theme: brief.theme,
    accentLight: accent.light,
    accentDark: accent.dark,
    accentInUrl: encodeURIComponent(accent.light),
    ...kind.values(brief),
  };
  return kind.layers
    .flatMap(readLayer)
    .map(({ path, content }) => ({
      path,
      content: fill(content, path.slice(path.lastIndexOf('.') + 1), values),
    }))
    .sort(inReadingOrder);
}
