import { PLAYERS, readCount } from './counts.ts';
import type { Brief, Kind, Value } from './types.ts';

/** The layers of a small game. `10min` tests that every file exists. */
export const gameLayers = (...own: readonly string[]): Kind['layers'] => ({
  auto: ['shared/page', 'shared/storage', 'shared/texts', 'shared/dom', 'shared/game', ...own],
  '5min': ['shared/offline'],
  '10min': ['shared/tests'],
});

/** Whether a prompt does not ask for several players. */
export const isForOne = ({ request }: Brief): boolean => readCount(request, PLAYERS) <= 1;

/** The numbers at the top of a small game: what each is called, by the id of its element. */
export const numbers = (labels: Readonly<Record<string, string>>, value: Value = 0) =>
  Object.entries(labels).map(([id, label]) => ({ id, label, value }));

/** Files that only this game has, for its README. */
export const files = (contents: Readonly<Record<string, string>>) =>
  Object.entries(contents).map(([path, text]) => ({ path, contents: text }));
