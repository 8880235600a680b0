/** Begins the ids of packages in own code: `pkg:react-dom/client`. */
export const PACKAGE_PREFIX = 'pkg:';

/** Vite's `baseline-widely-available`. */
export const TARGETS = ['chrome111', 'edge111', 'firefox114', 'safari16.4'] as const;
