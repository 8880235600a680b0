import { chromiumPath, thisMachine } from '../../../local/chromium.ts';

/** Returns the path of the browser of the machine, also beside the local cloud of the integration suite, which has none. */
export function testChromium(): string {
  const env = process.env.PTP_CHROMIUM === 'none' ? {} : process.env;
  return chromiumPath({ ...thisMachine(), env });
}
