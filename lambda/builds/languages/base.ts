/**
 * The module that exports `base`: the path that the site is at, such as `/` or `/d/<id>/`. Scripts are in `assets/`, so that theirs
 * tells it.
 */
export const BASE_MODULE = '\0base';

export const BASE_CODE = `export const base = new URL('../', import.meta.url).pathname;`;

/** The import of it for code that is rewritten. */
export const BASE_IMPORT = `import { base as __base } from ${JSON.stringify(BASE_MODULE)}`;
