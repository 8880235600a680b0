import type { VersionRule } from '../account.ts';
import type { ObjectHead } from './object-file.ts';
import { versionIdOf } from './version-folder.ts';

const DAY_MS = 86_400_000;

interface Versions {
  versions(bucket: string, prefix: string): ObjectHead[];
  deleteVersion(bucket: string, key: string, versionId: string): unknown;
}

/**
 * Deletes versions that have been noncurrent for the time of a rule, and delete markers that hide no version. S3 does so once a day;
 * the local cloud does so when the backend starts, so that deleted objects do not fill the disk of a laptop.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html
 */
export function expireVersions(
  store: Versions,
  bucket: string,
  rules: readonly VersionRule[],
  now: number,
): void {
  for (const { prefix, days } of rules) {
    const versions = store.versions(bucket, prefix);
    versions.forEach((head, i) => {
      const newer = versions[i - 1];
      // A version becomes noncurrent when the next one is created.
      if (newer?.key === head.key && newer.lastModified <= now - days * DAY_MS)
        store.deleteVersion(bucket, head.key, versionIdOf(head));
    });
    for (const alone of markersAlone(store.versions(bucket, prefix)))
      store.deleteVersion(bucket, alone.key, versionIdOf(alone));
  }
}

function markersAlone(versions: readonly ObjectHead[]): ObjectHead[] {
  const byKey = Object.groupBy(versions, ({ key }) => key);
  return Object.values(byKey).flatMap((ofKey = []) => {
    const [only, second] = ofKey;
    return only?.deleteMarker && second === undefined ? [only] : [];
  });
}
