import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Library } from './libraries.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/packages/package.json');

/** The modules that the plugins in a configuration come from. */
const PLUGINS = `
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import solid from 'vite-plugin-solid';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';`;

/** Returns the files of such an application, as `create-vite` would begin them. */
export function libraryProject({ packages, app, config = 'react()', css = '' }: Library): Map<string, Uint8Array> {
  const { dependencies: installed } = JSON.parse(readFileSync(FIXTURES, 'utf8'));
  const names = [...(typeof app === 'string' ? ['react', 'react-dom'] : []), ...packages];
  const dependencies = Object.fromEntries(names.map((name) => [name, `^${installed[name]}`]));
  const plugins = PLUGINS.split('\n').filter(
    (line) => config.includes(`${line.split(' ')[1]}(`) || /defineConfig/.test(line),
  );
  const files = {
    'package.json': JSON.stringify({
      private: true,
      type: 'module',
      dependencies,
      devDependencies: { vite: '^8.0.0' },
    }),
    'vite.config.ts': `${plugins.join('\n')}\nexport default defineConfig({ plugins: [${config}] });`,
    ...(typeof app === 'string' ? reactFiles(app, css) : app),
  };
  return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
}

const reactFiles = (app: string, css: string) => ({
  'index.html':
    '<!doctype html><title>Pears</title><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  'src/main.tsx': `
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import App from './App.tsx';
import './index.css';
createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>);`,
  'src/index.css': css,
  'src/trees.json': '["apple", "pear"]',
  'src/App.tsx': app,
});
