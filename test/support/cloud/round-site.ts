import type { TestResponse } from './client.ts';

/** Every file of a round contains its number throughout. */
const FILES: Readonly<Record<string, (round: number) => string>> = {
  'index.html': (round) => `<!doctype html><title>Round ${round}</title><script src="app.js"></script>`,
  'app.js': (round) => `document.title += ' Round ${round}';\n`,
  'style.css': (round) => `/* Round ${round} */ body { color: red }\n`,
  'data/blob.txt': (round) => `Round ${round}\n`.repeat(200_000 / `Round ${round}\n`.length),
};

export const ROUND_FILES = Object.keys(FILES);

export const roundSite = (round: number) =>
  Object.entries(FILES).map(([path, contentOf]) => ({ path, content: contentOf(round) }));

/**
 * Returns the round of a response.
 * @throws Error if it is not exactly the file of one round
 */
export function roundOf(path: string, { status, text }: Pick<TestResponse, 'status' | 'text'>): number {
  const round = Number(/Round (\d+)/.exec(text)?.[1]);
  if (status === 200 && text === FILES[path]?.(round)) return round;
  throw new Error(`${path} belongs to no round: ${status} ${text.length} bytes, ${text.slice(0, 200)}`);
}
