/** What Tailwind 3 and daisyUI have no types for. */
declare module 'daisyui' {
  const plugin: unknown;
  export default plugin;
}

declare module 'daisyui/theme' {
  const plugin: unknown;
  export default plugin;
}

declare module 'tailwindcss3/lib/lib/setupContextUtils.js' {
  const utilities: {
    /** @param changedContent the sources, instead of files */
    createContext(config: unknown, changedContent: readonly object[], root: unknown): object;
  };
  export default utilities;
}

declare module 'tailwindcss3/lib/processTailwindFeatures.js' {
  import type { Result, Root } from 'postcss';

  type Setup = () => (root: Root, result: Result) => object;
  const module: { default(setup: Setup): (root: Root, result: Result) => Promise<void> };
  export default module;
}
