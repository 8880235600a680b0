import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const ARGUMENTS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** Where Chromium and Chrome are installed, Chromium first. Under WSL, it is a Linux one. */
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

/** What `chromiumPath` reads of the machine. */
export interface Machine {
  readonly platform: string;
  readonly env: NodeJS.ProcessEnv;
  readonly exists: (path: string) => boolean;
}

/**
 * Returns the path of Chromium or Chrome: the one that PTP_CHROMIUM names, or one at a usual place.
 * @throws Error that says what to do
 */
export function chromiumPath({ platform, env, exists }: Machine): string {
  const named = env.PTP_CHROMIUM || env.CHROMIUM;
  if (named) {
    if (exists(named)) return named;
    throw new Error(`Cannot find the browser ${named}: set PTP_CHROMIUM to the path of Chromium or Chrome`);
  }
  const paths = PATHS[platform] ?? [];
  const found = paths.find(exists);
  if (found !== undefined) return found;
  throw new Error(
    `Cannot find Chromium or Chrome at ${paths.join(', ') || 'a usual place'}: install one, or set PTP_CHROMIUM to its path`,
  );
}

/** Starts the browser that `chromiumPath` finds. */
export function launch(): Promise<Browser> {
  const machine = { platform: process.platform, env: process.env, exists: existsSync };
  return chromium.launch({ executablePath: chromiumPath(machine), args: ARGUMENTS.split(' ') });
}
