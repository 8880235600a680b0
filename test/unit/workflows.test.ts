import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '.github/workflows';
const workflows = readdirSync(FOLDER).map((file) => readFileSync(join(FOLDER, file), 'utf8'));
const all = workflows.join('\n');

it('pins every action to a commit, with its version in a comment', () => {
  const uses = all.match(/uses:.*/g) ?? [];
  expect(uses.length).toBeGreaterThan(3);
  for (const one of uses) expect(one).toMatch(/^uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('grants only the permissions that a job declares', () => {
  for (const one of workflows) expect(one).toMatch(/^permissions:( \{\}\n|\n {2}contents: read\n\S*\n)/m);
  expect(all.match(/: write/g)).toEqual([': write']);
  expect(all).toContain('id-token: write');
  expect(all).not.toMatch(/AWS_SECRET_ACCESS_KEY|pull_request_target/);
});

it('runs no script of a package in a job that can request AWS credentials', () => {
  const jobs = workflows.flatMap((one) => one.split(/^ {2}(?=\w+:$)/m));
  for (const job of jobs.filter((one) => one.includes('id-token: write'))) {
    const installs = job.match(/npm (ci|i|install)\b.*/g) ?? [];
    expect(installs).not.toEqual([]);
    for (const install of installs) expect(install).toContain('--ignore-scripts');
  }
});

it('passes no caller input to a shell', () => {
  for (const [line] of all.matchAll(/run: .*/g)) expect(line).not.toContain('${{');
});
