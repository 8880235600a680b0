import { lockedPackages } from '../../bin/licenses/shipped.ts';
import { changesOf, type ReleaseState, releaseProblems } from '../../bin/release-problems.ts';
import { sbom } from '../../bin/sbom.ts';
import { testRows } from '../support/rows.ts';

const CHANGELOG = '# Changelog\n\n## 0.10.0\n\nAdded:\n\n- A canary.\n\n## 0.9.0\n\nAdded: more.\n';
const READY: ReleaseState = {
  version: '0.10.0',
  lockVersion: '0.10.0',
  changelog: CHANGELOG,
  tags: ['v0.9.0', 'v0.8.0', 'nightly'],
  status: '',
  isRecorded: true,
};

testRows<[Partial<ReleaseState>, readonly RegExp[]]>([
  [{}, []],
  [{ tags: [] }, []],
  [{ lockVersion: '0.9.0' }, [/package-lock.json has the version 0.9.0, not 0.10.0/]],
  [{ changelog: CHANGELOG.replace('0.10.0', 'Unreleased') }, [/begins with "## Unreleased": rename it/]],
  [{ changelog: '# Changelog\n\n## 0.10.0\n\n## 0.9.0\n\nMore.\n' }, [/followed by the changes/]],
  [{ tags: ['v0.10.0'] }, [/not newer than the tag of 0.10.0/]],
  [{ tags: ['v0.9.0', 'v0.11.0'] }, [/not newer than the tag of 0.11.0/]],
  [{ version: 'next', lockVersion: 'next' }, [/invalid version: "next"/, /CHANGELOG/]],
  [{ isRecorded: false }, [/has no 0.10.0.json: run npm run record-release/]],
  [{ status: ' M package.json\n' }, [/^Uncommitted files:\n M package.json$/]],
])('reports why a release cannot be made', (change, expected) => {
  expect(releaseProblems({ ...READY, ...change })).toEqual(
    expected.map((problem) => expect.stringMatching(problem)),
  );
});

it('tags a release with the changes of its version only', () => {
  expect(changesOf('0.10.0', CHANGELOG)).toBe('Added:\n\n- A canary.');
  expect(changesOf('0.9.0', CHANGELOG)).toBeUndefined();
});

interface Component {
  readonly name: string;
  readonly version: string;
}

// Runs npm for a second. `npm sbom --omit=dev` would also omit packages that are not only development dependencies.
it('lists exactly the packages that are installed without development dependencies in the SBOM', () => {
  const { metadata, components } = JSON.parse(sbom('.', 'prompt-to-project', '0.10.0'));
  expect(metadata.component).toMatchObject({ name: 'prompt-to-project', version: '0.10.0' });
  const textOf = ({ name, version }: Component) => `${name}@${version}`;
  const wanted = new Set(lockedPackages('package-lock.json').map(textOf));
  expect(new Set((components as Component[]).map(textOf))).toEqual(wanted);
});
