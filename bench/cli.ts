import { execFileSync } from 'node:child_process';
import type { Figure } from './figure.ts';
import { measureMs, ratio } from './ratio.ts';

/** Measures `ptp --help` against a Node that does nothing: the floor of any command. */
export async function cliBench(): Promise<Figure[]> {
  execFileSync(process.execPath, ['bin/build-ptp.js']);
  const run = (...args: string[]) =>
    measureMs(() => execFileSync(process.execPath, args, { stdio: 'ignore' }));
  return [
    await ratio(
      'ptp --help / node -e 0',
      { atMost: 3 },
      () => run('bin/ptp.js', '--help'),
      () => run('-e', '0'),
    ),
  ];
}
