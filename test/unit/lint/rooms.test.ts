import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ptp-lint-'));
  cpSync('biome.json', join(folder, 'biome.json'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lints these files under the project's own rules. @returns the places of the findings of a rule, as `file:line` */
function lint(rule: string, files: Readonly<Record<string, string>>): string[] {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const biome = resolve('node_modules/@biomejs/biome/bin/biome');
  const options = [`--only=${rule}`, '--vcs-enabled=false', '--max-diagnostics=200'];
  const args = [biome, 'lint', ...options, ...Object.keys(files)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
  return [...(stdout + stderr).matchAll(/^(\S+:\d+):\d+ lint\//gm)].map(([, place]) => String(place));
}

const OUTSIDE = ['../../lib/config.ts', '../../local/settings.ts', '../../cli/keys.ts', 'aws-cdk-lib'];

const ROOMS: readonly [file: string, allowed: string[], forbidden: string[]][] = [
  [
    'lambda/contract/probe.ts',
    ['./limits.ts', 'zod'],
    [
      ...OUTSIDE,
      '../platform/log.ts',
      '../sites/paths.ts',
      '../access/callers.ts',
      '../usage/api.handler.ts',
    ],
  ],
  [
    'lambda/platform/probe.ts',
    ['./log.ts', '@aws-sdk/client-s3'],
    [...OUTSIDE, '../contract/errors.ts', '../http/router.ts', '../generation/api/start.ts'],
  ],
  [
    'lambda/sites/references/probe.ts',
    ['../paths.ts', '../../contract/limits.ts', '../../platform/html.ts'],
    ['../../access/callers.ts', '../../deployments/deploy.ts', '../../visits/site.ts', '@aws-sdk/client-s3'],
  ],
  [
    'lambda/access/probe.ts',
    ['./quota.ts', '../contract/errors.ts', '../platform/clock.ts'],
    [
      ...OUTSIDE,
      '../http/router.ts',
      '../sites/paths.ts',
      '../deployments/deploy.ts',
      '../generation/api/start.ts',
    ],
  ],
  [
    'lambda/http/probe.ts',
    ['../access/callers.ts', '../contract/errors.ts'],
    [...OUTSIDE, '../sites/paths.ts', '../visits/visit.ts', '../assets/routes.ts'],
  ],
  [
    'lambda/generation/problems/probe.ts',
    [
      '../generation.ts',
      '../../sites/paths.ts',
      '../../http/router.ts',
      '../../../blueprints/engine/compose.ts',
    ],
    ['../../deployments/deploy.ts', '../../visits/site.ts', '../../../lib/config.ts'],
  ],
  [
    'lambda/deployments/probe.ts',
    ['../sites/archive.ts', '../http/router.ts', '../access/callers.ts'],
    [
      ...OUTSIDE,
      '../visits/visit.ts',
      '../generation/api/start.ts',
      '../webhooks/deliver.ts',
      '../assets/routes.ts',
      '../../blueprints/a.ts',
    ],
  ],
  ['lambda/visits/probe.ts', ['../sites/archive.ts'], [...OUTSIDE, '../deployments/deployment-store.ts']],
  ['lambda/assets/probe.ts', ['../http/router.ts'], [...OUTSIDE, '../deployments/deploy.ts']],
  [
    'lambda/usage/probe.ts',
    ['../access/usage-store.ts'],
    [...OUTSIDE, '../assets/routes.ts', '../mcp/tools.ts'],
  ],
  [
    'lambda/webhooks/probe.ts',
    ['../contract/responses/webhooks.ts', '../platform/webhook-url.ts'],
    [...OUTSIDE, '../generation/api/start.ts', '../deployments/deploy.ts', '../usage/usage-report.ts'],
  ],
  [
    'lambda/mcp/probe.ts',
    ['../../client/client.ts', '../contract/deploy.ts', '../http/request.ts', '../access/viewer-address.ts'],
    [...OUTSIDE, '../generation/api/start.ts', '../deployments/deploy.ts', '@aws-sdk/client-s3'],
  ],
  [
    'lib/generation/probe.ts',
    ['../../lambda/contract/limits.ts', '../../lambda/platform/env.ts', 'aws-cdk-lib', '../access/access.ts'],
    ['../../lambda/platform/log.ts', '../../lambda/access/callers.ts', '../../local/settings.ts'],
  ],
  [
    'blueprints/engine/probe.ts',
    ['../kinds/todo/kind.ts', '../../lambda/contract/generate.ts'],
    ['../../lambda/generation/generation.ts', '../../lib/config.ts', '@aws-sdk/client-s3'],
  ],
  [
    'local/cloud/lambda/probe.ts',
    ['./pool.ts', '../iam.ts'],
    ['../../settings.ts', '../../../lambda/contract/limits.ts', '../../../lib/config.ts'],
  ],
  [
    'local/cloud/probe.ts',
    ['./iam.ts', './lambda/pool.ts'],
    ['../settings.ts', '../../lambda/platform/log.ts'],
  ],
  [
    'local/probe.ts',
    ['./cloud/iam.ts', './cloud/lambda/pool.ts', '../lambda/contract/providers.ts', '../lib/config.ts'],
    ['../lambda/access/callers.ts', '../cli/keys.ts', './discovery/discover.ts'],
  ],
  [
    'local/start.ts',
    ['./discovery/discover.ts', '../terminal/program.ts'],
    ['../lambda/access/callers.ts', '../cli/keys.ts'],
  ],
  [
    'local/discovery/probe.ts',
    ['./models.ts', '../../lambda/contract/providers.ts'],
    ['../service.ts', '../../lib/config.ts'],
  ],
  ['bench/probe.ts', ['../local/service.ts'], ['../local/discovery/discover.ts']],
  [
    'evaluate/prompts/probe.ts',
    ['../score.ts', '../../cli/table.ts', '../../lambda/contract/generate.ts', '../../local/service.ts'],
    [
      '../../blueprints/engine/compose.ts',
      '../../lambda/generation/problems.ts',
      '../../test/support/free-port.ts',
    ],
  ],
  [
    'cli/probe.ts',
    ['../lambda/access/key-store.ts', '../local/settings.ts'],
    ['../lib/config.ts', '../web/pages.ts', '../local/discovery/discover.ts'],
  ],
  [
    'client/probe.ts',
    ['./http.ts', 'node:fs/promises'],
    ['../lambda/contract/limits.ts', '../client/publish/files.ts', '../cli/table.ts', 'zod'],
  ],
  [
    'cli/ptp/commands/probe.ts',
    [
      '../context.ts',
      '../../program.ts',
      '../../../client/client.ts',
      '../../../lambda/contract/limits.ts',
      '../../../lambda/sites/entry.ts',
      '../../../lambda/mcp/tools.ts',
    ],
    [
      '../../stage.ts',
      '../../../lambda/access/key-store.ts',
      '../../../lambda/deployments/deploy.ts',
      '../../../local/settings.ts',
      '../../../lib/config.ts',
      '../../../web/pages.ts',
      '@aws-sdk/client-s3',
    ],
  ],
  [
    'web/console/probe.ts',
    ['../../client/client.ts', '../../lambda/contract/limits.ts', '../../lambda/sites/entry.ts', 'preact'],
    ['../../lambda/access/callers.ts', '../../lib/config.ts', '../../local/settings.ts', 'node:fs', 'zod'],
  ],
  ['web/probe.ts', ['../lambda/contract/limits.ts'], ['../lambda/access/callers.ts', '../lib/config.ts']],
];

it('rejects every import that a room must not make, and no other', () => {
  const probes = Object.fromEntries(
    ROOMS.map(([file, allowed, forbidden]) => [
      file,
      [...allowed, ...forbidden].map((specifier, i) => `import v${i} from '${specifier}';\n`).join(''),
    ]),
  );
  const expected = ROOMS.flatMap(([file, allowed, forbidden]) =>
    forbidden.map((_, i) => `${file}:${allowed.length + i + 1}`),
  );
  expect(lint('style/noRestrictedImports', probes).toSorted()).toEqual(expected.toSorted());
});

it('rejects a cycle of imports, of types too', () => {
  const files = {
    'lib/a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;\n",
    'lib/b.ts': "import type { A } from './a.ts';\nexport type B = A | 2;\n",
  };
  expect(lint('suspicious/noImportCycles', files)).toEqual(['lib/a.ts:1', 'lib/b.ts:1']);
});
