import { APPEARANCE } from './broken/appearance.ts';
import { BARRIERS } from './broken/barriers.ts';
import { HANGING } from './broken/hanging.ts';
import { LOADING } from './broken/loading.ts';
import { REFERENCES } from './broken/references.ts';
import { USING } from './broken/using.ts';
import type { BrokenProject } from './project.ts';

/** Projects with one fault each. */
export const BROKEN: readonly BrokenProject[] = [
  ...LOADING,
  ...USING,
  ...REFERENCES,
  ...APPEARANCE,
  ...BARRIERS,
  ...HANGING,
];
