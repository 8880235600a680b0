import { join } from 'node:path';
import { DURATIONS, type Duration } from '../../../lambda/contract/generate.ts';
import { testRows } from '../../support/rows.ts';
import { SOAK } from '../../support/soak.ts';
import { file, ONE_OF_EACH, project } from '../../unit/blueprints/prompts.ts';
import { emptyFolder, runNode, write } from '../../unit/blueprints/written.ts';

testRows(ONE_OF_EACH)('a project has more files with more time, and keeps those of shorter durations', (prompt) => {
  const paths = (duration: Duration) => project(prompt, duration).map(({ path }) => path);
  const [auto, five, ten] = [paths('auto'), paths('5min'), paths('10min')];
  expect(five.length).toBeGreaterThan(auto.length);
  expect(ten.length).toBeGreaterThan(five.length);
  expect(five).toEqual(expect.arrayContaining(auto));
  expect(ten).toEqual(expect.arrayContaining(five));
});

testRows(ONE_OF_EACH.flatMap((prompt) => DURATIONS.map((duration) => [prompt, duration] as const)))(
  'a README names only files of the project',
  (prompt, duration) => {
    const files = project(prompt, duration);
    const named = [
      ...file(files, 'README.md').matchAll(/`((?:src|test)\/[\w./-]*|[\w-]+\.(?:js|json|css|svg|html))`/g),
    ];
    const created = ['data.json'];
    for (const [, name = ''] of named) {
      if (!created.includes(name)) expect(files.filter(({ path }) => path.startsWith(name))).not.toEqual([]);
    }
  },
);

// Starting Node.js is most of the time that these tests take: those that do not change the environment share a process.
test('the tests of all projects pass, whatever words the prompt brings into them', async () => {
  await using folder = await emptyFolder();
  const durations = SOAK ? DURATIONS : (['10min'] as const);
  const projects = [
    ...ONE_OF_EACH.flatMap((prompt) => durations.map((duration) => [prompt, duration] as const)),
    ['a REST API for books with fields year, published, author', '10min'],
    ['a sign-up form with fields email, password, website (optional), age', '10min'],
    ['a kanban board with columns one and two', '10min'],
    ['a sales dashboard', '10min'],
    ['a countdown timer for 90 seconds', '10min'],
  ] as const;
  let count = 0;
  for (const [index, [prompt, duration]] of projects.entries()) {
    const files = project(prompt, duration);
    const tests = files.filter(({ path }) => path.startsWith('test/'));
    if (tests.length === 0) continue;
    expect(JSON.parse(file(files, 'package.json')).scripts.test).toBe('node --test');
    count += tests.length;
    const isolation = tests.some(({ content }) => content.includes('assign(process.env')) ? 'process' : 'none';
    await write(join(folder.path, isolation, String(index)), files);
  }
  let passed = 0;
  for (const isolation of ['process', 'none']) {
    const { status, output } = await runNode(
      join(folder.path, isolation),
      '--test',
      '--test-reporter=tap',
      `--test-isolation=${isolation}`,
      '--test-concurrency=2',
    );
    expect(status === 0 ? '' : output).toBe('');
    passed += Number(/^# pass (\d+)$/m.exec(output)?.[1]);
  }
  expect(count).toBeGreaterThan(ONE_OF_EACH.length);
  expect(passed).toBeGreaterThan(count);
});

test('a test of a project fails when a file is missing', async () => {
  await using folder = await emptyFolder();
  const files = project('a quiz', '10min').filter(({ path }) => path !== 'src/round.js');
  await write(folder.path, files);
  const { status, output } = await runNode(folder.path, '--test', 'test/project.test.js');
  expect(status).toBe(1);
  expect(output).toContain('src/main.js refers to ./round.js');
});
