import * as z from 'zod';

/** Which packages the projects of a stage may use, and where they come from. */
export const buildsConfig = z.strictObject({
  /** Packages of projects without a lock file: any that package.json declares, or listed ones only. */
  packages: z.enum(['any', 'listed']).default('any'),
  /** The age of a version from which it is used without a lock file. */
  minimumAgeDays: z.int().min(0).default(7),
  /** Names that no project may use. */
  deny: z.array(z.string().min(1).max(214)).default([]),
  /** Where packages come from. By default npm's own; `npm start` uses that of the machine. */
  registry: z.url({ protocol: /^https?$/, error: 'must be the URL of an npm registry' }).optional(),
});

export type BuildsConfig = z.output<typeof buildsConfig>;
