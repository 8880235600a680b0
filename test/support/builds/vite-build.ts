import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { InlineConfig, PluginOption } from 'vite';

/** A project as Vite builds it. */
export interface ViteProject {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Other packages under these names, such as `react18` under `react`. */
  readonly packages?: Readonly<Record<string, string>>;
  readonly plugins?: PluginOption[];
  readonly config?: InlineConfig;
  /** The configuration of Tailwind 3, if the project uses it. */
  readonly tailwind3?: object;
}

const NODE_MODULES = join(import.meta.dirname, '../../../node_modules');

/**
 * Builds a project with Vite, the peer of our builds. Its configuration is given, not read: those of real projects import
 * packages that nobody needs here.
 * @returns the files of `dist`
 */
export async function viteBuild(project: ViteProject): Promise<Map<string, Uint8Array>> {
  const root = mkdtempSync(join(tmpdir(), 'ptp-vite-'));
  try {
    for (const [path, content] of project.files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      // Packages with configurations, which only type checks need, would have to be installed.
      const extended = /^tsconfig.*\.json$/.test(path) && Buffer.from(content).includes('"extends": "@');
      writeFileSync(join(root, path), extended ? '{}' : content);
    }
    linkPackages(join(root, 'node_modules'), project.packages ?? {});
    const { build } = await import('vite');
    await build({
      ...project.config,
      root,
      // Sites with an origin of their own are served from its root.
      base: '/',
      configFile: false,
      logLevel: 'error',
      plugins: project.plugins ?? [],
      resolve: { ...project.config?.resolve, preserveSymlinks: true },
      css: { postcss: { plugins: await tailwind3(root, project.tailwind3) } },
    });
    return filesIn(join(root, 'dist'));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Returns the files of a folder by their paths in it. */
export function filesIn(folder: string): Map<string, Uint8Array> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.toSorted().map((path) => [relative(folder, path), readFileSync(path)]));
}

/** Links every installed package, and some under another name, as `npm install` would have installed them. */
function linkPackages(folder: string, renamed: Readonly<Record<string, string>>): void {
  mkdirSync(folder);
  for (const name of readdirSync(NODE_MODULES)) {
    if (name.startsWith('.') || name in renamed) continue;
    symlinkSync(join(NODE_MODULES, name), join(folder, name));
  }
  for (const [name, installed] of Object.entries(renamed)) {
    // A copy, whose imports are resolved from here.
    cpSync(join(NODE_MODULES, installed), join(folder, name), { recursive: true });
  }
}

async function tailwind3(root: string, config: object | undefined) {
  if (config === undefined) return [];
  const { default: tailwind } = await import('tailwindcss3');
  const content = [join(root, 'index.html'), join(root, 'src/**/*.{js,jsx,ts,tsx}')];
  return [tailwind({ ...config, content })];
}
