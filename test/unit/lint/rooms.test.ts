import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { emptyFolder } from '../../support/at-end.ts';

const folder = emptyFolder();
beforeEach(() => {
  copyFileSync('package.json', join(folder, 'package.json'));
});

/** Checks these files as those of the repository. @returns each finding, which begins with `file:line` */
function lint(files: Readonly<Record<string, string>>): string[] {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const { stdout, stderr, status } = spawnSync(process.execPath, [resolve('bin/lint-rooms.ts')], {
    encoding: 'utf8',
    cwd: folder,
  });
  const findings = (stdout + stderr).split('\n').filter((line) => line !== '');
  expect(status).toBe(findings.length === 0 ? 0 : 1);
  return findings;
}

const places = (findings: readonly string[]) => findings.map((finding) => finding.split(' ', 1)[0]).toSorted();

/** What some rooms may import, and what not, as paths from the root of the repository; packages without a slash or with `@`. */
const PROBES: readonly [file: string, allowed: string[], forbidden: string[]][] = [
  [
    'lambda/contract/probe.ts',
    ['lambda/contract/limits.ts', 'zod'],
    ['lambda/platform/log.ts', 'lambda/sites/paths.ts', 'lib/config.ts', 'aws-cdk-lib', '@aws-sdk/client-s3'],
  ],
  [
    'lambda/sites/references/probe.ts',
    ['lambda/sites/paths.ts', 'lambda/contract/limits.ts', 'lambda/platform/html.ts'],
    ['lambda/access/callers.ts', 'lambda/stored/deployment.ts', 'lambda/visits/visit.ts', '@aws-sdk/client-s3'],
  ],
  [
    'lambda/generation/providers/probe.ts',
    ['blueprints/engine/compose.ts', 'blueprints/edits/edit.ts', 'lambda/generation/instructions.ts'],
    ['blueprints/kinds/todo/kind.ts', 'lambda/generation/attempt/round.ts'],
  ],
  [
    'lambda/visits/probe.ts',
    ['lambda/stored/deployment.ts'],
    ['lambda/deployments/deploy.ts', 'lambda/http/router.ts'],
  ],
  [
    'lambda/mcp/probe.ts',
    ['client/client.ts', 'lambda/contract/deploy.ts', 'lambda/http/request.ts', 'lambda/access/viewer-address.ts'],
    ['lambda/access/callers.ts', 'lambda/deployments/deploy.ts', '@aws-sdk/client-s3'],
  ],
  [
    'lib/generation/probe.ts',
    ['lambda/contract/limits.ts', 'lambda/platform/env.ts', 'lib/access.ts', 'aws-cdk-lib/aws-lambda'],
    ['lambda/platform/log.ts', 'lambda/access/callers.ts', 'local/service.ts'],
  ],
  [
    'client/probe.ts',
    ['client/client.ts', 'node:fs'],
    ['client/publish/script.ts', 'lambda/contract/limits.ts', 'package.json', 'zod'],
  ],
  ['local/cloud/s3/probe.ts', ['local/cloud/iam.ts'], ['local/service.ts', 'terminal/settings.ts', 'lib/config.ts']],
  ['local/start.ts', ['local/providers.ts', 'terminal/program.ts'], ['cli/keys.ts', 'lambda/http/router.ts']],
  [
    'cli/ptp/commands/probe.ts',
    ['cli/ptp/context.ts', 'client/client.ts', 'lambda/sites/paths.ts', 'lambda/mcp/tools.ts', 'package.json'],
    ['cli/stage.ts', 'lambda/access/key-store.ts', 'local/service.ts', '@aws-sdk/client-s3'],
  ],
  [
    'web/console/views/probe.tsx',
    ['client/client.ts', 'lambda/sites/folder-rules.ts'],
    ['cli/folder/scan.ts', 'web/pages.ts', 'lambda/platform/log.ts', 'lambda/stored/projects/stored-project.ts'],
  ],
  ['test/unit/probe.ts', ['lambda/access/callers.ts', 'web/pages.ts', 'aws-cdk-lib'], []],
];

it('rejects every import that a room must not make, and no other', () => {
  const probes = Object.fromEntries(
    PROBES.map(([file, allowed, forbidden]) => {
      const up = '../'.repeat(file.split('/').length - 1);
      const lines = [...allowed, ...forbidden].map((target, i) => {
        const specifier = /^(?:[^/]+|@.*|aws-cdk-lib.*)$/.test(target) && !target.includes('.') ? target : up + target;
        return `import v${i} from '${specifier}';\n`;
      });
      return [file, lines.join('')];
    }),
  );
  const expected = PROBES.flatMap(([file, allowed, forbidden]) =>
    forbidden.map((_, i) => `${file}:${allowed.length + i + 1}`),
  );
  expect(places(lint(probes))).toEqual(expected.toSorted());
});

it('finds every form of an import', () => {
  const text = `import '../web/pages.ts';
import { type A, b as c } from '../web/pages.ts';
import type {
  Several,
  Lines,
} from '../web/pages.ts';
import * as all from '../web/pages.ts';
export { d } from '../web/pages.ts';
export * from '../web/pages.ts';
export type { E } from '../web/pages.ts';
const later = () => import('../web/pages.ts');
type F = import('../web/pages.ts').F;
`;
  expect(places(lint({ 'cli/probe.ts': text }))).toEqual(
    [1, 2, 3, 7, 8, 9, 10, 11, 12].map((line) => `cli/probe.ts:${line}`).toSorted(),
  );
});

it('says why', () => {
  expect(lint({ 'lambda/sites/probe.ts': "import '../visits/visit.ts';\n" })).toEqual([
    'lambda/sites/probe.ts:1 lambda/sites must not import lambda/visits/visit.ts. What a website is: pure functions.',
  ]);
});

it('asks for a row for a new folder', () => {
  expect(lint({ 'lambda/new/probe.ts': '' })).toEqual(['lambda/new/probe.ts:1 is in no room: add it to bin/rooms.ts']);
});

it('rejects a cycle of imports, of types too', () => {
  const files = {
    'lib/a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;\n",
    'lib/b.ts': "export type B = import('./c.ts').C | 2;\n",
    'lib/c.ts': "import type { A } from './a.ts';\nexport type C = A | 3;\n",
  };
  expect(lint(files)).toEqual(['lib/a.ts:1 imports itself: lib/a.ts → lib/b.ts → lib/c.ts → lib/a.ts']);
});
