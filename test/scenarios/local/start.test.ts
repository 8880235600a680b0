import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { closeAtEnd, temporaryFolder } from '../../support/at-end.ts';

const PROVIDERS = { 'provider-a': { kind: 'blueprint' } };

const folder = temporaryFolder();
mkdirSync(join(folder, 'config'));
/** Holds the port of the service, so that a start ends before it synthesizes. */
const holder = closeAtEnd(createServer().listen(0, '127.0.0.1'));
await once(holder, 'listening');

/** Runs `npm start` in a folder with this `config/local.json`. Returns what it prints before it looks at the port. */
async function start(config: object, args: readonly string[] = [], variables: NodeJS.ProcessEnv = {}) {
  writeFileSync(join(folder, 'config/local.json'), JSON.stringify(config));
  const { CONFIG_FILE: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    PORT: String((holder.address() as AddressInfo).port),
    STATE_DIR: join(folder, 'state'),
    ANTHROPIC_API_KEY: 'a-key-of-the-test',
    ANTHROPIC_BASE_URL: '',
    PTP_CHROMIUM: 'none',
    ...variables,
  };
  const script = resolve('local/start.ts');
  return new Promise<string>((resolve, reject) =>
    execFile(process.execPath, [script, ...args], { env, cwd: folder }, (_, stdout, stderr) =>
      stderr.includes('is in use') ? resolve(stdout) : reject(new Error(stdout + stderr)),
    ),
  );
}

it('looks for models and says what it found', async () => {
  const printed = await start({ stage: 'local' });
  expect(printed).toMatch(
    /^Providers: provider-a is claude-sonnet-5-5 \(Anthropic, billed to ANTHROPIC_API_KEY\), .*provider-\w is blueprint .*\nBudgets per day \(UTC\): \$5\.00 for callers without a key, \$10\.00 for each key, \$50\.00 in all; .*\nProjects are not looked at\. .*\n$/,
  );
  expect(printed).not.toContain('a-key-of-the-test');
});

it('says which browser looks at projects', async () => {
  const PTP_CHROMIUM = process.execPath;
  const looks = await start({ providers: PROVIDERS }, [], { PTP_CHROMIUM });
  expect(looks).toBe(`Browser: ${PTP_CHROMIUM} opens projects before they are published\n`);
  expect(await start({ providers: PROVIDERS, look: { enabled: false } }, [], { PTP_CHROMIUM })).toBe('');
});

it.each<[string, object, string[], NodeJS.ProcessEnv]>([
  ['with --no-discovery', {}, ['--no-discovery'], {}],
  ['if config/local.json has providers', { providers: PROVIDERS }, [], {}],
  ['if CONFIG_FILE names a file', {}, [], { CONFIG_FILE: 'config/local.json' }],
])('does not look for models %s', async (_, config, args, variables) => {
  expect(await start(config, args, variables)).toBe(
    'Projects are not looked at. No browser is used (PTP_CHROMIUM is none)\n',
  );
});
