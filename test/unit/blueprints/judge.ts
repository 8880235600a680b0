import { compose, matchPrompt } from '../../../blueprints/engine/compose.ts';
import type { HeldBack } from './held-back.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Returns what a project contains, as written, without its guide and without copies of the prompt. */
function contentOf(prompt: string): string {
  const files = compose(prompt, 'auto').filter(({ path }) => path !== 'README.md');
  return files
    .map(({ content }) => content)
    .join('\n')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\\u003c/g, '<')
    .replace(/\\(['"\\])/g, '$1')
    .replaceAll(prompt, '')
    .replace(/\s+/g, ' ')
    .normalize('NFC');
}

const quote = (text: string) => text.replace(/[.*+?^${}()[\]\\]/g, '\\$&');
/** A whole text of an element or a string, with the punctuation of a list of labels at most. */
const standsAlone = (entry: string) => new RegExp(`[>'"]\\s*${quote(entry)}(?: \\([XO]\\))?\\s*[<'"]`, 'iu');

/** How each number of a prompt shows in the projects that have one. */
const COUNTS = {
  pages: (content: string) => content.match(/<fieldset class="step"/g)?.length ?? 1,
  players: (content: string) => /PLAYERS = \[([^\]]*)\]/.exec(content)?.[1]?.split(',').length ?? 1,
  pairs: (content: string) => Number(/load\('size', '?(\d+)/.exec(content)?.[1]),
} as const;

/** Returns what a project lacks that its prompt asks for; an empty list means that it meets every expectation. */
export function judge(wanted: HeldBack): string[] {
  const kind = matchPrompt(wanted.prompt);
  if (wanted.fits === 'none') return kind === null ? [] : [`is a ${kind}`];
  if (kind === null) return wanted.fits === undefined ? ['no starter'] : [];
  const content = contentOf(wanted.prompt);
  const has = (text: string) => new RegExp(`(?<![\\p{L}\\d])(?:${text})`, 'iu').test(content);
  const counts = (['pages', 'players', 'pairs'] as const).filter(
    (name) => wanted[name] !== undefined && COUNTS[name](content) !== wanted[name],
  );
  const problems = [
    ...(wanted.entries ?? []).filter((entry) => !standsAlone(entry).test(content)).map((entry) => `no entry ${entry}`),
    ...(wanted.mentions ?? []).filter((text) => !has(text)).map((text) => `no ${text}`),
    ...(wanted.without ?? []).filter(has).map((text) => `has ${text}`),
    ...counts.map((name) => `not ${wanted[name]} ${name}`),
  ];
  return problems.map((problem) => `${kind}: ${problem}`);
}
