/** S3 tells who may not list a bucket that access is denied when there is no such key. */
const NAMES = new Set(['NoSuchKey', 'AccessDenied']);

/** Whether an object could not be read because it is not there. */
export function isMissingObject(error: unknown): boolean {
  return error instanceof Error && NAMES.has(error.name);
}
