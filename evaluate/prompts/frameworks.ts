import { PAGES } from './pages.ts';
import { TOOLS } from './tools.ts';
import { category, hold, type Prompt, type Visitor } from './visitor.ts';

const chart = (visitor: Visitor) =>
  visitor.until(
    async () =>
      (await visitor.page
        .locator('svg:has(path, line, rect, polyline, circle), canvas, meter')
        .filter({ visible: true })
        .count()) > 0,
    'no chart is seen',
  );

/** Prompts that are not worth a run without a framework. */
const FRAMED = category('frameworks', {
  dashboard: [
    'sales dashboard for an online shop: revenue, orders and top products, for the last 7 or 30 days',
    {
      'shows the figures': (visitor) => visitor.sees(/revenue[\s\S]{0,60}\d/i, /orders[\s\S]{0,60}\d/i, /products/i),
      'draws a chart': chart,
      'another period or series changes it': async (visitor) => {
        const before = `${await visitor.shown()}${await visitor.picture()}`;
        const pressed = await visitor.mayPress(
          /(?:7|30|90|12) ?(?:d|days|m|months)\b|week|month|quarter|year|today|orders|daily|weekly|monthly/i,
        );
        if (!pressed)
          hold(await visitor.chooses(/week|month|quarter|year|\d+ days/i), 'no control chooses a period or a series');
        await visitor.until(
          async () => `${await visitor.shown()}${await visitor.picture()}` !== before,
          'nothing changes',
        );
      },
    },
  ],
});

const PLAIN = [...TOOLS, ...PAGES, ...FRAMED];

/** Code of each framework, which shows that a project uses it. */
const CODE = {
  react: /from ['"]react(?:-dom\/client)?['"]/,
  vue: /from ['"]vue['"]/,
  tailwind: /@import ['"]tailwindcss['"]|@tailwind utilities/,
  router: /from ['"](?:react-router(?:-dom)?|wouter)['"]/,
  recharts: /from ['"]recharts['"]/,
} as const;

/** By id: the prompt whose steps must hold as well, what is added to its text, and what must be in the code. */
const ADDED: Readonly<Record<string, readonly [plain: string, text: string, code: readonly (keyof typeof CODE)[]]>> = {
  'react-router-blog': ['blog', 'as a React app with a router', ['react', 'router']],
  'shadcn-dashboard': ['dashboard', 'with React, shadcn/ui and recharts', ['react', 'recharts', 'tailwind']],
  'vue-kanban': ['kanban', 'in Vue 3', ['vue']],
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
