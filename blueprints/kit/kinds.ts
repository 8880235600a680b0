import { PLAYERS, readCount } from './counts.ts';
import type { Brief, Kind, Value } from './types.ts';

/**
 * Returns the layers of a kind whose project is a page.
 * @param shared names of folders of `blueprints/shared/`
 * @param tests layers beside those that test that every file exists
 */
export const pageLayers = (kind: string, shared: readonly string[], ...tests: readonly string[]): Kind['layers'] => ({
  auto: [...['page', ...shared].map((name) => `shared/${name}`), `${kind}/base`],
  '5min': ['shared/offline'],
  '10min': ['shared/tests', ...tests],
});

/** The layers that small games share. */
export const GAME = ['storage', 'texts', 'dom', 'game'];

/** Whether a prompt does not ask for several players. */
export const isForOne = ({ request }: Brief): boolean => readCount(request, PLAYERS) <= 1;

/** The numbers at the top of a small game: what each is called, by the id of its element. */
export const numbers = (labels: Readonly<Record<string, string>>, value: Value = 0) =>
  Object.entries(labels).map(([id, label]) => ({ id, label, value }));

/** Files that only this game has, for its README. */
export const files = (contents: Readonly<Record<string, string>>) =>
  Object.entries(contents).map(([path, text]) => ({ path, contents: text }));
