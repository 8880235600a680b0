import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The manifest of the browser of a stage, with its lock file. */
const MANIFEST = fileURLToPath(new URL('../lib/look/chromium/', import.meta.url));
const PACKAGE = '@sparticuz/chromium';
const FILES = ['package.json', 'package-lock.json'];

/** The name under which the browser is started. */
const LAUNCHER = 'chromium-headless';
/** The beginning of the name of a folder that is not complete. */
const UNFINISHED = 'unfinished-';
const ABANDONED_MS = 3_600_000;

/** The package has a binary for this platform only. */
const PLATFORM = 'linux-x64';

/** A machine that may get the browser. */
interface Target {
  /** Such as `linux-x64`. */
  readonly platform: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the machine that this process runs on. */
export function thisTarget(): Target {
  return { platform: `${process.platform}-${process.arch}`, env: process.env };
}

/** Returns where the browser of a stage is installed for this machine; undefined if it does not run there. */
export function installedPath({ platform, env }: Target): string | undefined {
  if (platform !== PLATFORM) return undefined;
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  const locked = readFileSync(join(MANIFEST, 'package-lock.json'));
  const version = createHash('sha256').update(locked).digest('hex').slice(0, 12);
  return join(cache, 'prompt-to-project', `chromium-${version}`, LAUNCHER);
}

/**
 * Installs the browser of a stage: npm fetches its package and checks it against the lock file. The path exists once all
 * of it does.
 * @param path what `installedPath` returns
 * @throws Error that says why it cannot be installed
 */
export async function installChromium(path: string): Promise<void> {
  if (existsSync(path)) return;
  await removeUnfinished(dirname(dirname(path)));
  const final = dirname(path);
  const parent = dirname(final);
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, UNFINISHED));
  try {
    for (const name of FILES) copyFileSync(join(MANIFEST, name), join(folder, name));
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
    });
    await unpack(folder);
    await rm(join(folder, 'node_modules'), { recursive: true });
    await writeFile(join(folder, 'fonts.conf'), fontsConf(final));
    await writeFile(join(folder, LAUNCHER), launcher(await needsLibraries(folder)));
    await chmod(join(folder, LAUNCHER), 0o755);
    // Another process may have been faster.
    await rename(folder, final).catch((error) => {
      if (!existsSync(path)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of installations that were interrupted a while ago: others may be running. */
async function removeUnfinished(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(UNFINISHED)) continue;
    const folder = join(parent, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}

/** The package unpacks to TMPDIR, the libraries only where it takes the machine for Lambda. */
async function unpack(folder: string): Promise<void> {
  const code = `const packed = await import('${PACKAGE}'); await packed.default.executablePath();`;
  await run(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
}

/** Reports if the browser starts with the libraries of its package only. @throws Error if it does not with them either */
async function needsLibraries(folder: string): Promise<boolean> {
  const { LD_LIBRARY_PATH: _, ...env } = process.env;
  const binary = join(folder, 'chromium');
  const starts = (more: NodeJS.ProcessEnv) => run(binary, ['--version'], { cwd: folder, env: { ...env, ...more } });
  const isComplete = await starts({}).then(
    () => true,
    () => false,
  );
  if (!isComplete) await starts({ LD_LIBRARY_PATH: join(folder, 'al2023/lib') });
  return !isComplete;
}

/** A look starts the browser without the environment of this process. */
function launcher(withLibraries: boolean): string {
  const libraries = withLibraries ? 'export LD_LIBRARY_PATH="$here/al2023/lib"\n' : '';
  return `#!/bin/sh
here="\${0%/*}"
export FONTCONFIG_FILE="$here/fonts.conf"
${libraries}exec "$here/chromium" "$@"
`;
}

/** The fonts of the system, and those of the package where it has none. */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill();
});

/** Returns what npm says of its failure: its last lines are about its log. */
function causeIn(errors: string): string | undefined {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /^npm error (?!code |errno |A complete|$)/.test(line)) ?? lines.at(-1);
}

/** Runs a command to its end. @throws Error with the cause that it wrote if it fails */
async function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-2_000);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve();
        else reject(new Error(causeIn(errors) ?? `${command} ended with ${code}`));
      });
    });
  } finally {
    running.delete(child);
  }
}
