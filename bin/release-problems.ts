import semver from 'semver';

/** The state of the repository from which a release is made. */
export interface ReleaseState {
  /** The version in package.json; `lockVersion` is from package-lock.json. */
  readonly version: string;
  readonly lockVersion: string;
  readonly changelog: string;
  readonly tags: readonly string[];
  /** The output of `git status --porcelain`. */
  readonly status: string;
  /** Whether `test/infra/releases` has a record of this version. */
  readonly isRecorded: boolean;
}

export const tagOf = (version: string): string => `v${version}`;

/** Returns the changelog's text for a version, or undefined if it is missing. */
export function changesOf(version: string, changelog: string): string | undefined {
  const [heading, text] = newestSection(changelog);
  return heading === version && text !== '' ? text : undefined;
}

/** Returns the reasons why a release cannot be made, a sentence each; none if it can. */
export function releaseProblems(state: ReleaseState): string[] {
  const { version, lockVersion, changelog, tags, status, isRecorded } = state;
  const [heading] = newestSection(changelog);
  const newest = semver.rsort(tags.flatMap((tag) => semver.valid(tag) ?? []))[0];
  const checks: readonly (readonly [holds: boolean, problem: string])[] = [
    [semver.valid(version) === version, `package.json has an invalid version: "${version}"`],
    [
      version === lockVersion,
      `package-lock.json has the version ${lockVersion}, not ${version}: run npm install`,
    ],
    [
      changesOf(version, changelog) !== undefined,
      `CHANGELOG.md begins with "## ${heading}": rename it to "## ${version}", followed by the changes`,
    ],
    [
      newest === undefined || semver.valid(version) === null || semver.gt(version, newest),
      `Version ${version} is not newer than the tag of ${newest}: run npm version --no-git-tag-version`,
    ],
    [isRecorded, `test/infra/releases has no ${version}.json: run npm run record-release, and commit it`],
    [status.trim() === '', `Uncommitted files:\n${status.trimEnd()}`],
  ];
  return checks.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}

/** Returns the heading and the text of the first section of a changelog. */
function newestSection(changelog: string): [heading: string, text: string] {
  const [, section = ''] = changelog.split(/^## /m);
  const end = section.indexOf('\n');
  return end === -1 ? [section.trim(), ''] : [section.slice(0, end).trim(), section.slice(end).trim()];
}
