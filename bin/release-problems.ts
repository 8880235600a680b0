import semver from 'semver';

/** What a release is made of. */
export interface ReleaseState {
  /** Of package.json and of package-lock.json. */
  readonly version: string;
  readonly lockVersion: string;
  readonly changelog: string;
  readonly tags: readonly string[];
  /** What `git status --porcelain` prints. */
  readonly status: string;
  /** Whether it is recorded what an upgrade from this version must keep. */
  readonly isRecorded: boolean;
}

export const tagOf = (version: string): string => `v${version}`;

/** Returns the text of a version in the changelog, or undefined if it has none. */
export function changesOf(version: string, changelog: string): string | undefined {
  const [heading, text] = newestSection(changelog);
  return heading === version && text !== '' ? text : undefined;
}

/** Returns why a release cannot be made, one sentence each; none if it can. */
export function releaseProblems(state: ReleaseState): string[] {
  const { version, lockVersion, changelog, tags, status, isRecorded } = state;
  const [heading] = newestSection(changelog);
  const newest = semver.rsort(tags.flatMap((tag) => semver.valid(tag) ?? []))[0];
  const checks: readonly (readonly [holds: boolean, problem: string])[] = [
    [semver.valid(version) === version, `package.json has the version "${version}", which is none`],
    [
      version === lockVersion,
      `package-lock.json has the version ${lockVersion}, not ${version}: run npm install`,
    ],
    [
      changesOf(version, changelog) !== undefined,
      `CHANGELOG.md begins with "## ${heading}": rename it to "## ${version}", with what has changed below`,
    ],
    [
      newest === undefined || semver.valid(version) === null || semver.gt(version, newest),
      `Version ${version} is not newer than the tag of ${newest}: run npm version, without a tag`,
    ],
    [isRecorded, `test/infra/releases has no ${version}.json: run npm run record-release, and commit it`],
    [status.trim() === '', `Files are not committed:\n${status.trimEnd()}`],
  ];
  return checks.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}

/** Returns the heading and the text of the first section. */
function newestSection(changelog: string): [heading: string, text: string] {
  const [, section = ''] = changelog.split(/^## /m);
  const end = section.indexOf('\n');
  return end === -1 ? [section.trim(), ''] : [section.slice(0, end).trim(), section.slice(end).trim()];
}
