import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesOf, releaseProblems, tagOf } from './release-problems.ts';
import { sbom } from './sbom.ts';

/** Makes a release of the version in package.json: checks the version, writes its SBOMs, and tags the commit. Pushes nothing. */
const FOLDER = 'dist/release';

/** Folders whose manifests list packages of a stage, and the names of their SBOMs. */
const SBOMS = { '.': 'prompt-to-project', 'lib/look/chromium': 'prompt-to-project-chromium' };

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' });
const version = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;

const state = {
  version: version('package.json'),
  lockVersion: version('package-lock.json'),
  changelog: readFileSync('CHANGELOG.md', 'utf8'),
  tags: git('tag', '--list').split('\n').filter(Boolean),
  status: git('status', '--porcelain'),
  isRecorded: existsSync(`test/infra/releases/${version('package.json')}.json`),
};
const problems = releaseProblems(state);
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exitCode = 1;
} else {
  mkdirSync(FOLDER, { recursive: true });
  for (const [folder, name] of Object.entries(SBOMS)) {
    const file = join(FOLDER, `${name}-${state.version}.cdx.json`);
    writeFileSync(file, sbom(folder, name, state.version));
    console.log(`Wrote ${file}`);
  }
  const tag = tagOf(state.version);
  const message = `Version ${state.version}\n\n${changesOf(state.version, state.changelog)}`;
  git('tag', '--annotate', '--cleanup=verbatim', tag, '--message', message);
  console.log(`Tagged ${tag}: git push origin ${tag}, and attach the files of ${FOLDER} to the release`);
}
