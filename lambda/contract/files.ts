import * as z from 'zod';
import { LIMITS } from './limits.ts';
import { atMostEntries, list, object, oneOf, text } from './messages.ts';

const ENCODINGS = ['utf-8', 'base64'] as const;

/** A file with its content. */
export const contentFile = z.object(
  {
    path: z.string(text('path', 'the path of the file within the project')).meta({
      description: 'Relative path with `/` as the separator. Paths that are not safe on every system are rejected.',
      minLength: 1,
      maxLength: LIMITS.pathBytes,
    }),
    content: z
      .string(text('content', 'the content of the file'))
      .describe('Text, or bytes in the given `encoding`; at most 1 MB once decoded.'),
    encoding: z
      .enum(ENCODINGS, oneOf('encoding', ENCODINGS))
      .optional()
      .describe('`base64` (RFC 4648, section 4) for images, fonts and text that is not UTF-8. Default: `utf-8`.'),
  },
  object('every file'),
);

export type ContentFile = z.output<typeof contentFile>;

/** Returns the schema of the files of a request. */
export function fileList<File extends z.ZodType>(file: File, empty: string) {
  return z
    .array(file, list('files', 'the files of the project, each with a path and content'))
    .min(1, empty)
    .max(LIMITS.filesPerDeployment, atMostEntries('files', LIMITS.filesPerDeployment));
}
