import { buildHandler } from './handle-build.ts';
import { BuildError } from './problem.ts';

/** Builds the project behind presigned URLs. */
export const handler = buildHandler(() =>
  Promise.reject(new BuildError([{ message: 'Builds are not ready' }])),
);
