const RADIX =
  'accordion alert-dialog avatar checkbox collapsible dialog dropdown-menu label popover progress radio-group select separator slider slot switch tabs toast toggle-group tooltip';

/**
 * The listed packages that models are told about: names with the version that the service prefers, as far as `^` fixes it.
 * `lambda/builds/packages/listed/` pins them exactly, and has more.
 */
export const TOLD_PACKAGES: Readonly<Record<string, string>> = {
  react: '19',
  'react-dom': '19',
  'react-router-dom': '7',
  wouter: '3',
  zustand: '5',
  '@tanstack/react-query': '5',
  '@tanstack/react-table': '8',
  'react-hook-form': '7',
  'lucide-react': '1',
  recharts: '3',
  motion: '12',
  '@dnd-kit/core': '6',
  '@dnd-kit/sortable': '10',
  '@dnd-kit/utilities': '3',
  '@react-three/fiber': '9',
  '@react-three/drei': '10',
  'react-markdown': '10',
  sonner: '2',
  cmdk: '1',
  vue: '3',
  'vue-router': '4',
  pinia: '3',
  'lucide-vue-next': '0.577',
  svelte: '5',
  'solid-js': '1',
  '@solidjs/router': '0.15',
  preact: '10',
  lit: '3',
  three: '0.187',
  d3: '7',
  'chart.js': '4',
  'date-fns': '4',
  zod: '4',
  nanoid: '5',
  'canvas-confetti': '1',
  clsx: '2',
  'tailwind-merge': '3',
  'class-variance-authority': '0.7',
  'tw-animate-css': '1',
};

/**
 * The tools that models are told about, with their versions, for projects that somebody builds elsewhere: the service
 * has its own.
 */
export const TOLD_TOOLS: Readonly<Record<string, string>> = {
  vite: '8',
  '@vitejs/plugin-react': '6',
  '@vitejs/plugin-vue': '6',
  '@sveltejs/vite-plugin-svelte': '7',
  'vite-plugin-solid': '2',
  tailwindcss: '4',
  '@tailwindcss/vite': '4',
  // The last one that svelte-check and vue-tsc work with: npm refuses to install the first of them beside another.
  typescript: '6',
};

/** The packages of `@radix-ui/react-`, which all have the versions 1 or 2. */
export const TOLD_RADIX: readonly string[] = RADIX.split(' ');
