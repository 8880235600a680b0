/**
 * The packages that models are told about, with their newest major version here: the listed packages that projects name in
 * their code. `lambda/builds/packages/listed/` pins the exact versions, and has those that they depend on.
 */
export const TOLD_PACKAGES: Readonly<Record<string, string>> = {
  react: '19',
  'react-dom': '19',
  vue: '3',
  svelte: '5',
  'solid-js': '1',
  preact: '10',
  lit: '3',
  'react-router-dom': '7',
  wouter: '3',
  zustand: '5',
  'lucide-react': '1',
  recharts: '3',
  three: '0',
  clsx: '2',
  'tailwind-merge': '3',
  'class-variance-authority': '0',
  '@radix-ui/react-checkbox': '1',
  '@radix-ui/react-dialog': '1',
  '@radix-ui/react-dropdown-menu': '2',
  '@radix-ui/react-label': '2',
  '@radix-ui/react-select': '2',
  '@radix-ui/react-slot': '1',
  '@radix-ui/react-tabs': '1',
  '@radix-ui/react-tooltip': '1',
  tailwindcss: '4',
  'tw-animate-css': '1',
};
