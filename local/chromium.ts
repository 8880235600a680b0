import { existsSync } from 'node:fs';

/** The usual paths of Chromium and Chrome, Chromium first. Under WSL, a browser for Linux is used. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/opt/homebrew/bin/chromium',
    '/usr/local/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/snap/bin/chromium',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
  ],
};

/** The value of PTP_CHROMIUM with which no browser is used. */
const NONE = 'none';

/** The properties of the machine that determine the browser. */
export interface Machine {
  readonly platform: string;
  readonly env: NodeJS.ProcessEnv;
  readonly exists: (path: string) => boolean;
}

/** Returns the machine that this process runs on. */
export function thisMachine(): Machine {
  return { platform: process.platform, env: process.env, exists: existsSync };
}

/**
 * Returns the path of Chromium or Chrome: the one that PTP_CHROMIUM names, or one at a usual place; undefined if there
 * is none.
 * @throws Error if PTP_CHROMIUM names a file that does not exist
 */
export function findChromium({ platform, env, exists }: Machine): string | undefined {
  const named = env.PTP_CHROMIUM || env.CHROMIUM;
  if (named === NONE) return undefined;
  if (!named) return PATHS[platform]?.find(exists);
  if (exists(named)) return named;
  throw new Error(`Cannot find the browser ${named}: set PTP_CHROMIUM to the path of Chromium or Chrome`);
}

/** Returns what `findChromium` finds. @throws Error that says what to do if there is none */
export function chromiumPath(machine: Machine): string {
  const found = findChromium(machine);
  if (found !== undefined) return found;
  if (machine.env.PTP_CHROMIUM === NONE)
    throw new Error('PTP_CHROMIUM is none: set it to the path of Chromium or Chrome');
  const paths = PATHS[machine.platform]?.join(', ') ?? 'a usual place';
  throw new Error(`Cannot find Chromium or Chrome at ${paths}: install one, or set PTP_CHROMIUM to its path`);
}

/** Returns the variables with which functions look at sites in a browser of this machine, or say why they do not. */
export function lookVariables(
  machine: Machine,
): { readonly PTP_CHROMIUM: string } | { readonly LOOK_SKIPPED: string } {
  const path = findChromium(machine);
  if (path !== undefined) return { PTP_CHROMIUM: path };
  if (machine.env.PTP_CHROMIUM === NONE) return { LOOK_SKIPPED: 'No browser is used (PTP_CHROMIUM is none)' };
  return {
    LOOK_SKIPPED: 'No browser was found: install Chromium or Chrome, or set PTP_CHROMIUM to its path',
  };
}
