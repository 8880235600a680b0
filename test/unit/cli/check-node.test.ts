import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const { scripts } = read('package.json') as { scripts: Record<string, string> };
const commands = Object.entries({ ...scripts, 'cdk.json': String(read('cdk.json').app) });

/** Preloaded before everything else: reports another version of Node. */
const reporting = (version: string) =>
  `--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'${version}'}})`;

function run(command: string, version: string) {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, NODE_OPTIONS: reporting(version) };
  return spawnSync(command, { shell: true, encoding: 'utf8', env });
}

it('preloads the check in every command that runs code of this project', () => {
  const unchecked = commands.filter(
    ([, command]) => command.startsWith('node ') && !command.startsWith('node --import ./bin/check-node.js '),
  );
  expect(unchecked).toEqual([]);
});

it('explains that Node is too old, and does nothing else', () => {
  const { status, stdout, stderr } = run(String(scripts.start), '22.18.0');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Node 24 or newer is required .* this is Node 22\.18\.0\. Run "npm ci" .*\n$/);
});

it('runs no other program with code of this project', () => {
  const others = commands.filter(([, command]) => !command.startsWith('node '));
  // `npm run` calls the commands above, and the CDK the one of cdk.json.
  expect(new Set(others.map(([, command]) => command.split(' ')[0]))).toEqual(new Set(['biome', 'cdk', 'npm', 'tsc']));
});

it('accepts every Node that npm ci installs', () => {
  const { optionalDependencies } = read('package.json') as { optionalDependencies: Record<string, string> };
  const versions = [...new Set(Object.values(optionalDependencies))];
  const outputs = versions.map((version) => run('node --import ./bin/check-node.js -p 1', version).stdout);
  expect(outputs).toEqual(versions.map(() => '1\n'));
});
