import { type Browser, chromium } from 'playwright-core';
import { chromiumPath, thisMachine } from '../local/chromium.ts';

const ARGUMENTS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** Starts the browser that `chromiumPath` finds. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(thisMachine()), args: ARGUMENTS.split(' ') });
}
