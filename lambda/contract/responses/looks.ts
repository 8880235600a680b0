import * as z from 'zod';
import { LOOK_KINDS, LOOK_LIMITS } from '../looks.ts';

const width = z.union([z.literal(390), z.literal(1280)]);

export const lookProblem = z.strictObject({
  kind: z
    .enum(LOOK_KINDS)
    .describe(
      '`blank`: nothing is shown. `error`: an uncaught error. `console`: a logged error. `missing`: a file that does not exist. `left`: the page goes, or asks for something, elsewhere. `hung`: it does not respond, or a button does nothing. `wide`: it scrolls sideways at 390 px. `layout`: texts overlap, something is cut off, or markup has no style. `accessibility`: a serious rule of axe-core is violated.',
    ),
  message: z.string().describe('What is wrong, as one sentence.'),
  path: z.string().optional().describe('File of the project, as far as it is known.'),
  line: z.int().optional().describe('Line in the file, from 1.'),
  column: z.int().optional().describe('Column in the line, from 1.'),
  width: width.optional().describe('The width at which it was found; absent if at both.'),
  blocking: z.literal(true).optional().describe('Present if the page shows nothing, or fails while it loads.'),
});

/** The look of a browser at a project or a version. */
export const look = z.strictObject({
  state: z
    .enum(['looking', 'looked', 'skipped', 'failed'])
    .describe(
      '`skipped`: nobody looks, for the `reason`. `failed`: the browser could not look, which says nothing about the page.',
    ),
  reason: z.string().optional().describe('Why there is no look, as a sentence.'),
  problems: z
    .array(lookProblem)
    .readonly()
    .optional()
    .describe(`What the browser found, at most ${LOOK_LIMITS.problems}; only once it has looked.`),
  screenshots: z
    .strictObject({
      390: z.string().describe('URL of the picture of 390 px.'),
      1280: z.string().describe('URL of the picture of 1280 px.'),
    })
    .partial()
    .optional()
    .describe(
      'URLs of the pictures of the page (PNG), by width. Those of private pages require the credential of the deployment.',
    ),
});

export type LookResource = z.output<typeof look>;
