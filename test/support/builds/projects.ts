import { join } from 'node:path';
import type { PluginOption } from 'vite';
import { filesIn, type ViteProject } from './vite-build.ts';

const PROJECTS = join(import.meta.dirname, '../projects');
const TEMPLATES = join(import.meta.dirname, '../../../node_modules/create-vite');

/** A project that is built, and how Vite builds the same one. */
export interface SourceProject {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Without it, Vite cannot build the project: it has no page. */
  readonly vite?: Omit<ViteProject, 'files'>;
}

/** Returns a project of `test/support/projects`. */
export const project = (name: string): ReadonlyMap<string, Uint8Array> => filesIn(join(PROJECTS, name));

/** Returns a template of create-vite. */
export const template = (name: string): ReadonlyMap<string, Uint8Array> =>
  filesIn(join(TEMPLATES, `template-${name}`));

/** The packages of React 18, under the names with which projects import them. */
const REACT_18 = {
  react: 'react18',
  'react-dom': 'react-dom18',
  'react-router-dom': 'react-router-dom6',
  'lucide-react': 'lucide-react0',
};

const react = async (): Promise<PluginOption> => (await import('@vitejs/plugin-react')).default();
const tailwind4 = async (): Promise<PluginOption> => (await import('@tailwindcss/vite')).default();

/** Projects as templates, app builders and models write them, by name. */
export async function sourceProjects(): Promise<Record<string, SourceProject>> {
  const { default: vue } = await import('@vitejs/plugin-vue');
  const { svelte } = await import('@sveltejs/vite-plugin-svelte');
  const { default: solid } = await import('vite-plugin-solid');
  const lovable = project('lovable');
  return {
    'react-ts': { files: template('react-ts'), vite: { plugins: [await react()] } },
    'vue-ts': { files: template('vue-ts'), vite: { plugins: [vue()] } },
    'svelte-ts': { files: template('svelte-ts'), vite: { plugins: [svelte({ configFile: false })] } },
    'preact-ts': {
      files: template('preact-ts'),
      vite: {
        packages: { preact: 'preact10' },
        config: { oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } } },
      },
    },
    'solid-ts': { files: template('solid-ts'), vite: { plugins: [solid()] } },
    'vanilla-ts': { files: template('vanilla-ts'), vite: {} },
    'lit-ts': { files: template('lit-ts'), vite: {} },
    'v0-block': { files: project('v0-block') },
    artifact: { files: project('artifact') },
    wouter: { files: project('wouter') },
    'data-router': { files: project('data-router') },
    bolt: {
      files: project('bolt'),
      vite: {
        packages: REACT_18,
        plugins: [await react()],
        tailwind3: { theme: { extend: { colors: { brand: { 500: '#ea580c', 700: '#9a3412' } } } } },
      },
    },
    lovable: {
      files: lovable,
      vite: {
        packages: REACT_18,
        plugins: [await react()],
        config: { resolve: { alias: { '@': '/src' } } },
        tailwind3: await lovableTailwind(lovable),
      },
    },
    three: { files: project('three'), vite: {} },
    'modules-worker': { files: project('modules-worker'), vite: { plugins: [await react()] } },
    dashboard: {
      files: project('dashboard'),
      vite: { plugins: [await react(), await tailwind4()] },
    },
  };
}

/** Runs the configuration of the project, which our builds only read. */
async function lovableTailwind(files: ReadonlyMap<string, Uint8Array>): Promise<object> {
  const { stripTypeScriptTypes, createRequire } = await import('node:module');
  const source = new TextDecoder().decode(files.get('tailwind.config.ts'));
  const script = stripTypeScriptTypes(source).replace('export default', 'return');
  return new Function('require', script)(createRequire(import.meta.url));
}
