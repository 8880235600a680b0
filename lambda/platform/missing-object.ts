/** S3 reports a missing key as AccessDenied if the role may not list the bucket. */
const NAMES = new Set(['NoSuchKey', 'AccessDenied']);

/** Returns whether an S3 call failed because the object does not exist. */
export function isMissingObject(error: unknown): boolean {
  return error instanceof Error && NAMES.has(error.name);
}
