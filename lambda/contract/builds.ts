import * as z from 'zod';
import { contentFile, fileList } from './files.ts';
import { VARIABLE_LIMITS } from './limits.ts';
import { atMost, exactlyOne, kindOf, text } from './messages.ts';
import type { buildReport } from './responses/builds.ts';
import type { buildProblem } from './responses/errors.ts';

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

/** A problem of a project, as responses have it in `problems`. */
export type BuildProblem = Readonly<z.output<typeof buildProblem>>;

/** The packages and the output of a build, as `build` of a version has them. */
export type BuildReport = Readonly<z.output<typeof buildReport>>;

/** Only these become part of a page, as in Vite: others in a `.env` file may be secrets. */
const VARIABLE = /^VITE_[A-Za-z0-9_]{1,100}$/;

/** `env` of a deploy or a build. */
export const buildVariables = z
  .record(z.string(), z.string(text('env', 'strings by name')), {
    error: ({ input }) => `env must be a JSON object of strings by name, not ${kindOf(input)}`,
  })
  .superRefine((env, context) => {
    const names = Object.keys(env);
    const wrong = names.find((name) => !VARIABLE.test(name));
    if (wrong !== undefined)
      context.addIssue(
        `env has ${JSON.stringify(wrong.slice(0, 100))}: a name is VITE_ and up to 100 of A-Z a-z 0-9 _`,
      );
  })
  .refine(
    (env) => Object.keys(env).length <= VARIABLE_LIMITS.names,
    atMost('env', VARIABLE_LIMITS.names, 'names', (env) => Object.keys(env as object).length),
  )
  .refine(
    (env) => variableBytes(env) <= VARIABLE_LIMITS.bytes,
    atMost('env', VARIABLE_LIMITS.bytes, 'bytes', (env) => variableBytes(env as BuildVariables)),
  )
  .optional()
  .meta({
    description: `Variables of the page, such as \`{ "VITE_API": "https://…" }\`. They are part of it, so they are not secret: at most ${VARIABLE_LIMITS.names} names that begin with \`VITE_\`, and 4 KB.`,
    maxProperties: VARIABLE_LIMITS.names,
  });

/** Values by name. */
export type BuildVariables = Readonly<Record<string, string>>;

function variableBytes(env: BuildVariables): number {
  return Object.entries(env).reduce((sum, pair) => sum + new TextEncoder().encode(pair.join('')).length, 0);
}

/** Body of `POST /api/v1/builds`. Unknown fields are ignored. */
export const buildRequest = z
  .object({
    files: fileList(contentFile, 'files is empty: a project has at least one file')
      .optional()
      .describe('The source, with the limits of deploy. Required unless `generationId` is sent.'),
    generationId: z
      .string(text('generationId', 'the id of a generation'))
      .optional()
      .describe('Instead of `files`: builds the project of this generation.'),
    env: buildVariables,
    preview: z
      .boolean({ error: ({ input }) => `preview must be true or false, not ${kindOf(input)}` })
      .optional()
      .describe('With `true`, code of the project is not minified and has an inline source map. Default: `false`.'),
  })
  .superRefine(
    exactlyOne(
      'files',
      'generationId',
      'the files of the project, each with a path and content, or generationId instead',
    ),
  );

export type BuildRequest = z.output<typeof buildRequest>;
