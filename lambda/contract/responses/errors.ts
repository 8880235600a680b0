import * as z from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { BUILD_LIMITS, RATE_LIMIT_DOCS } from '../limits.ts';
import type { SentHeader } from './headers.ts';

/** Body of an error. */
export const errorBody = z.strictObject({
  error: z.string().describe('What is wrong and what to do, in English.'),
});

/** Body of a 503 that says how long it lasts. */
export const retryLaterBody = z.strictObject({
  ...errorBody.shape,
  retryAfter: z.int().min(1).describe('Seconds to wait, as in `Retry-After`.'),
});

/** Body of a 429. */
export const rateLimitedBody = z.strictObject({
  ...retryLaterBody.shape,
  docs: z.string().describe(`Path of the reference: \`${RATE_LIMIT_DOCS}\`.`),
});

/** Body of a 409 for files that the live version does not have. */
export const unknownFilesBody = z.strictObject({
  ...errorBody.shape,
  unknown: z
    .array(z.string())
    .min(1)
    .readonly()
    .describe('Each `sha256` that the live version has no file for: send these files with their content.'),
});

export const buildProblem = z.strictObject({
  message: z.string().describe('One sentence without its place.'),
  path: z.string().optional().describe('Path of the file in the project.'),
  line: z.int().min(1).optional().describe('Line, from 1.'),
  column: z.int().min(1).optional().describe('Column, from 1, in UTF-16 code units.'),
  excerpt: z.string().optional().describe('The line of the source, shortened around the column.'),
});

/** Body of a 400 for source that cannot be built. */
export const buildFailedBody = z.strictObject({
  ...errorBody.shape,
  problems: z
    .array(buildProblem)
    .min(1)
    .max(BUILD_LIMITS.problems)
    .readonly()
    .describe('What is wrong with the source.'),
});

/** Bodies of errors with fields of their own. */
export const ERROR_BODIES: { readonly [Code in ErrorCode]?: z.ZodType } = {
  rate_limited: rateLimitedBody,
  closed: retryLaterBody,
  busy: retryLaterBody,
  budget_spent: retryLaterBody,
  unknown_files: unknownFilesBody,
  build_failed: buildFailedBody,
};

/**
 * Errors of every operation in addition to its own, by status: those of the pipeline, and those of API Gateway (502, 504),
 * which responds if a function does not.
 */
export const COMMON_ERRORS: Readonly<Record<number, string>> = {
  400: 'Two different credentials were sent.',
  401: 'The credential is invalid.',
  429: ERRORS.rate_limited.when,
  500: ERRORS.internal.when,
  502: 'The service did not respond. Retry after a few seconds.',
  503: ERRORS.unavailable.when,
  504: 'The service did not respond in time. Retry after a few seconds.',
};

/** Headers of errors by status. */
export const ERROR_HEADERS: Readonly<Record<number, readonly SentHeader[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate?'],
  415: ['Accept-Encoding?'],
  429: ['Retry-After'],
  502: ['Retry-After?'],
  503: ['Retry-After?'],
};
