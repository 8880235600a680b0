/** Modules of Tailwind 3 and daisyUI that have no types. */
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
  type Process = (root: object, result: object) => Promise<void>;
  const module: { default(setup: () => (root: object, result: object) => object): Process };
  export default module;
}
