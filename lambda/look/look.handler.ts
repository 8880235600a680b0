import * as z from 'zod';
import { ENV, readEnv } from '../platform/env.ts';
import { installedChromium } from './chromium.ts';
import { lookHandler } from './handle-look.ts';
import { look } from './look.ts';

const env = readEnv({ [ENV.siteOrigin]: z.string().optional(), [ENV.chromium]: z.string().optional() });

let chromium: ReturnType<typeof installedChromium> | undefined;
const installed = () => {
  // A failure is not remembered: the next call may have more time.
  chromium ??= installedChromium(env.PTP_CHROMIUM).catch((error) => {
    chromium = undefined;
    throw error;
  });
  return chromium;
};
// Unpacks while the site is downloaded.
installed().catch(() => undefined);

/** Looks at the site behind a presigned URL. */
export const handler = lookHandler(installed, env.SITE_ORIGIN === undefined ? '/d/look/' : '/', look);
