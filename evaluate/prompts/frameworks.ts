import { GAMES } from './games.ts';
import { MEDIA } from './media.ts';
import { PAGES } from './pages.ts';
import type { Prompt } from './prompt.ts';
import { TOOLS } from './tools.ts';
import { hold } from './visitor.ts';

const PLAIN = [...GAMES, ...TOOLS, ...MEDIA, ...PAGES];

/** Code of each framework, which shows that a project uses it. */
const CODE = {
  react: /from ['"]react(?:-dom\/client)?['"]/,
  vue: /from ['"]vue['"]/,
  svelte: /\$state\b/,
  solid: /from ['"]solid-js['"]/,
  preact: /from ['"]preact(?:\/hooks)?['"]/,
  lit: /from ['"]lit['"]/,
  typescript: /: (?:string|number|boolean)\b/,
  tailwind: /@import ['"]tailwindcss['"]|@tailwind utilities/,
  router: /from ['"](?:react-router(?:-dom)?|wouter)['"]/,
  recharts: /from ['"]recharts['"]/,
} as const;

/** By id: the prompt whose steps must hold as well, what is added to its text, and what must be in the code. */
const ADDED: Readonly<
  Record<string, readonly [plain: string, text: string, code: readonly (keyof typeof CODE)[]]>
> = {
  'react-habits': ['habits', 'in React with TypeScript and Tailwind', ['react', 'typescript', 'tailwind']],
  'react-todo-de': ['todo', 'mit React und Tailwind, auf Englisch', ['react', 'tailwind']],
  'react-router-blog': ['blog', 'as a React app with a router', ['react', 'router']],
  'react-component': ['calculator', 'as a single React component in TypeScript', ['react', 'typescript']],
  'shadcn-dashboard': ['dashboard', 'with React, shadcn/ui and recharts', ['react', 'recharts', 'tailwind']],
  'vue-kanban': ['kanban', 'in Vue 3', ['vue']],
  'vue-expenses-es': ['expenses-es', 'con Vue.js y TypeScript', ['vue', 'typescript']],
  'svelte-pomodoro': ['pomodoro', 'in Svelte 5', ['svelte']],
  'solid-units': ['units', 'with SolidJS', ['solid']],
  'preact-notes': ['notes', 'in Preact', ['preact']],
  'lit-clocks': ['clocks', 'with Lit components in TypeScript', ['lit', 'typescript']],
  'typescript-memory': ['memory', 'in TypeScript, without a framework', ['typescript']],
};

/** Prompts that name a framework, so that the project has to be built. */
export const FRAMEWORKS: readonly Prompt[] = Object.entries(ADDED).map(([id, [plain, added, code]]) => {
  const base = PLAIN.find((prompt) => prompt.id === plain);
  if (base === undefined) throw new Error(`No prompt has the id ${plain}`);
  return {
    id,
    category: 'frameworks',
    text: `${base.text}, ${added}`,
    steps: {
      [`its code uses ${code.join(', ')}`]: async ({ project }) => {
        const source = [...project.files.values()].join('\n');
        for (const name of code) hold(CODE[name].test(source), `nothing in the code uses ${name}`);
      },
      ...base.steps,
    },
  };
});
