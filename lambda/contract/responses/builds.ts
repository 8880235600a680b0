import * as z from 'zod';
import { contentFile } from '../files.ts';

/** The packages and the output of a build. */
export const buildReport = z.strictObject({
  files: z.int().describe('Number of built files.'),
  bytes: z.int().describe('Total size of the built files in bytes.'),
  packages: z
    .record(z.string(), z.string())
    .readonly()
    .describe('Versions of the packages that the project imports, by name. The next deploy reuses them.'),
  warnings: z
    .array(z.string())
    .readonly()
    .describe('What may not work in the page, such as a variable that is not set; one sentence each.'),
});

/** Body of `POST /api/v1/builds`. */
export const buildResponse = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: contentFile.shape.path,
        content: z.string().describe('Text, or bytes in the given `encoding`.'),
        encoding: z.literal('base64').optional().describe('`base64` of a file that is not text in UTF-8.'),
      }),
    )
    .readonly()
    .describe('The built files, as a deploy of the project publishes them.'),
  entry: z.string().describe('Path of the entry HTML file.'),
  packages: buildReport.shape.packages,
  warnings: buildReport.shape.warnings,
  bytes: buildReport.shape.bytes,
});

export type BuildResponse = z.output<typeof buildResponse>;
