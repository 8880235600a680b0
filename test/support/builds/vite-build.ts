import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { InlineConfig, PluginOption } from 'vite';
import { filesIn, type ProjectFiles, sourceProject } from './projects.ts';

/** How Vite builds a project. Its own configuration is not read: those of real projects import what nobody needs here. */
interface Peer {
  /** Other packages under these names, such as `react18` under `react`. */
  readonly packages?: Readonly<Record<string, string>>;
  readonly plugins?: readonly PluginOption[];
  readonly config?: InlineConfig;
  /** The configuration of Tailwind 3, if the project uses it. */
  readonly tailwind3?: object;
}

const NODE_MODULES = join(import.meta.dirname, '../../../node_modules');

/** The packages of React 18, under the names with which projects import them. */
const REACT_18 = {
  react: 'react18',
  'react-dom': 'react-dom18',
  'react-router-dom': 'react-router-dom6',
  'lucide-react': 'lucide-react0',
};

const react = async () => (await import('@vitejs/plugin-react')).default();

/** By name of the project. Lone components have no page, so Vite cannot build them. */
const PEERS: Readonly<Record<string, (files: ProjectFiles) => Promise<Peer>>> = {
  'react-ts': async () => ({ plugins: [await react()] }),
  'vue-ts': async () => ({ plugins: [(await import('@vitejs/plugin-vue')).default()] }),
  'svelte-ts': async () => ({
    plugins: [(await import('@sveltejs/vite-plugin-svelte')).svelte({ configFile: false })],
  }),
  'preact-ts': async () => ({
    packages: { preact: 'preact10' },
    config: { oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } } },
  }),
  'solid-ts': async () => ({ plugins: [(await import('vite-plugin-solid')).default()] }),
  'vanilla-ts': async () => ({}),
  'lit-ts': async () => ({}),
  bolt: async () => ({
    packages: REACT_18,
    plugins: [await react()],
    tailwind3: { theme: { extend: { colors: { brand: { 500: '#ea580c', 700: '#9a3412' } } } } },
  }),
  lovable: async (files) => ({
    packages: REACT_18,
    plugins: [await react()],
    config: { resolve: { alias: { '@': '/src' } } },
    tailwind3: evaluated(files.get('tailwind.config.ts')),
  }),
  three: async () => ({}),
  'modules-worker': async () => ({ plugins: [await react()] }),
  dashboard: async () => ({
    plugins: [await react(), (await import('@tailwindcss/vite')).default()],
  }),
};

export const hasPeer = (name: string): boolean => name in PEERS;

/** Builds a project with Vite in a process of its own, and returns the files of `dist`. */
export async function viteBuild(name: string): Promise<ProjectFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-vite-'));
  try {
    await promisify(execFile)(process.execPath, [import.meta.filename, name, folder]);
    return filesIn(join(folder, 'dist'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function build(name: string, root: string): Promise<void> {
  const files = sourceProject(name);
  const { packages = {}, plugins = [], config, tailwind3 } = (await PEERS[name]?.(files)) ?? {};
  for (const [path, content] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    // Packages with configurations, which only type checks need, would have to be installed.
    const extended = /^tsconfig.*\.json$/.test(path) && Buffer.from(content).includes('"extends": "@');
    writeFileSync(join(root, path), extended ? '{}' : content);
  }
  linkPackages(join(root, 'node_modules'), packages);
  const vite = await import('vite');
  await vite.build({
    ...config,
    root,
    // Sites with an origin of their own are served from its root.
    base: '/',
    configFile: false,
    logLevel: 'error',
    plugins: [...plugins],
    resolve: { ...config?.resolve, preserveSymlinks: true },
    css: { postcss: { plugins: tailwind3 === undefined ? [] : [await tailwind(root, tailwind3)] } },
  });
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

async function tailwind(root: string, config: object) {
  const { default: plugin } = await import('tailwindcss3');
  return plugin({ ...config, content: [join(root, 'index.html'), join(root, 'src/**/*.{js,jsx,ts,tsx}')] });
}

/** Runs a configuration, which our builds only read. */
function evaluated(source: Uint8Array | undefined): object {
  const script = stripTypeScriptTypes(new TextDecoder().decode(source)).replace('export default', 'return');
  return new Function('require', script)(createRequire(import.meta.url));
}

if (import.meta.main) {
  const [name = '', folder = ''] = process.argv.slice(2);
  await build(name, folder);
}
