import type * as z from 'zod';
import { ApiError } from '../../contract/errors.ts';
import type { screenshotQuery } from '../../contract/screenshots.ts';
import type { ApiResponse } from '../../http/request.ts';
import type { ProjectFiles } from '../../stored/projects/project-file-store.ts';
import type { Generation } from '../generation.ts';
import { lastLook } from '../looks.ts';
import { GENERATION_ID_HEADER } from './resource.ts';

/** A picture of an attempt never changes. That of a generation without an attempt does while it runs. */
const CACHED = 'private, max-age=86400, immutable';

/**
 * Returns a picture of the page after an attempt, by default that of the last look.
 * @throws ApiError not_found without such a picture
 */
export async function screenshotResponse(
  generation: Generation,
  { width, attempt }: z.output<typeof screenshotQuery>,
  { files }: { readonly files: Pick<ProjectFiles, 'look'> },
): Promise<ApiResponse> {
  const { id } = generation;
  const number = attempt ?? lastLook(generation)?.attempt;
  const look = number === undefined ? undefined : await files.look(id, number);
  const picture = look?.screenshots.get(width);
  if (!picture)
    throw new ApiError(
      'not_found',
      `There is no picture of ${width} px: look and attempts of the generation list the pictures in screenshots`,
    );
  return {
    statusCode: 200,
    headers: {
      [GENERATION_ID_HEADER]: id,
      'Content-Type': 'image/png',
      'Cache-Control': attempt === undefined ? 'private, no-cache' : CACHED,
    },
    bytes: picture,
  };
}
