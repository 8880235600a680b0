import { existsSync } from 'node:fs';
import { installedPath, thisTarget } from './install-chromium.ts';

/**
 * The usual paths of Chromium, Chrome and Edge, Chromium first; before it Debian's headless shell, which is the browser
 * of a stage as well: a window of a whole browser starts a renderer for its toolbar, and takes three times as long. Under
 * WSL, a browser for Linux is used.
 */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/opt/homebrew/bin/chromium',
    '/usr/local/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/snap/bin/chromium',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/usr/bin/microsoft-edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/** The command that installs a browser, by platform. */
const COMMANDS: Readonly<Record<string, string>> = {
  darwin: 'brew install --cask google-chrome',
  linux: 'sudo apt-get install chromium',
  win32: 'winget install Google.Chrome',
};

/** The value of PTP_CHROMIUM with which no browser is used. */
const NONE = 'none';

/** The properties of the machine that determine the browser. */
interface Machine {
  readonly platform: string;
  readonly env: NodeJS.ProcessEnv;
  readonly exists: (path: string) => boolean;
  /** Where `npm start` installs a browser; undefined if it has none for this machine. */
  readonly installed?: string | undefined;
}

/** Returns the machine that this process runs on. */
export function thisMachine(): Machine {
  const installed = installedPath(thisTarget());
  return { platform: process.platform, env: process.env, exists: existsSync, installed };
}

/**
 * Returns the path of a browser: the one that PTP_CHROMIUM names, or one at a usual place, or the one that `npm start`
 * has installed; undefined if there is none.
 * @throws Error if PTP_CHROMIUM names a file that does not exist
 */
function findChromium({ platform, env, exists, installed }: Machine): string | undefined {
  const named = env.PTP_CHROMIUM || env.CHROMIUM;
  if (named === NONE) return undefined;
  if (!named) return [...(PATHS[platform] ?? []), ...(installed === undefined ? [] : [installed])].find(exists);
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

/** Returns where a browser is to be installed; undefined if the machine has one, wants none, or cannot get one. */
export function missingChromium(machine: Machine): string | undefined {
  const isWanted = machine.env.PTP_CHROMIUM !== NONE && findChromium(machine) === undefined;
  return isWanted ? machine.installed : undefined;
}

/** Returns a clause that says how to get a browser. */
export function browserHint(platform: string): string {
  const command = COMMANDS[platform] ?? COMMANDS.linux;
  return `run "${command}", or set PTP_CHROMIUM to the path of Chromium, Chrome or Edge`;
}

/**
 * Returns the variables with which functions look at sites in a browser of this machine, or say why they do not.
 * @param installing where one is being installed
 */
export function lookVariables(
  machine: Machine,
  installing?: string,
): { readonly PTP_CHROMIUM: string } | { readonly LOOK_SKIPPED: string } {
  const path = findChromium(machine) ?? installing;
  if (path !== undefined) return { PTP_CHROMIUM: path };
  if (machine.env.PTP_CHROMIUM === NONE) return { LOOK_SKIPPED: 'No browser is used (PTP_CHROMIUM is none)' };
  return { LOOK_SKIPPED: `No browser was found: ${browserHint(machine.platform)}` };
}
