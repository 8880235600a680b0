import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOOK_WIDTHS } from '../contract/looks.ts';
import { type Chromium, NotInstalled } from './browser.ts';

/** The exports of `@sparticuz/chromium` that are used, which is installed for Lambda only (`lib/look/chromium/`). */
interface Packed {
  readonly default: { executablePath(): Promise<string> };
}

const PACKAGE = '@sparticuz/chromium';

/**
 * Lambda refuses what Chromium's own sandbox and several processes need: https://github.com/Sparticuz/chromium#-args.
 * Without a sandbox, the isolation is that of the function, which has neither permissions nor secrets.
 */
const ON_LAMBDA = [
  '--single-process',
  '--no-zygote',
  '--in-process-gpu',
  '--font-render-hinting=none',
  // WebGL without a GPU.
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/**
 * Returns the browser of this machine.
 * @param path undefined on Lambda
 * @throws NotInstalled while nothing is at the path
 */
export async function installedChromium(path: string | undefined): Promise<Chromium> {
  if (path === undefined) return await unpackedChromium();
  if (!existsSync(path)) throw new NotInstalled(`There is no browser at ${path}`);
  // Root has no user namespace to put a renderer in.
  return { executablePath: path, sandbox: process.getuid?.() !== 0 };
}

/** Returns the browser of the package, which the first call unpacks: 211 MB of the 512 MB in /tmp. */
async function unpackedChromium(): Promise<Chromium> {
  const folder = join('/tmp', 'chromium');
  const complete = join(folder, 'complete');
  // An invocation that ended in the middle leaves half of a file.
  if (!existsSync(complete)) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { TMPDIR } = process.env;
  // The package unpacks to there, and sets variables of this process, which the browser does not get.
  process.env.TMPDIR = folder;
  try {
    const { default: packed } = (await import(PACKAGE)) as Packed;
    const executablePath = await packed.executablePath();
    const fonts = join(folder, 'fonts.conf');
    await writeFile(fonts, fontsConf(folder));
    await writeFile(complete, '');
    const env = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: fonts };
    // One process has one context: https://github.com/Sparticuz/chromium/issues/298
    return { executablePath, args: ON_LAMBDA, env, count: LOOK_WIDTHS.length };
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** https://www.freedesktop.org/software/fontconfig/fontconfig-user.html */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}
