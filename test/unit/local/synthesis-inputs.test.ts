import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashOfInputs, type SynthesisSettings } from '../../../local/synth.ts';
import { emptyFolder } from '../../support/at-end.ts';

const FILES = [
  'bin/app.ts',
  'blueprints/kinds/todo/base/index.html',
  'lambda/visits/visit.ts',
  'lib/config.ts',
  'local/synth.ts',
  'web/reference/examples/examples.json',
  'cdk.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
];

const SETTINGS: SynthesisSettings = { config: '{}', env: { PATH: '/bin' }, nodeVersion: 'v24.0.0' };

const root = emptyFolder();
beforeEach(() => {
  for (const path of FILES) write(path, 'content');
});

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** Returns whether a change of the inputs changes their hash. */
function changes(change: () => void, settings: Partial<SynthesisSettings> = {}): boolean {
  const before = hashOfInputs(root, SETTINGS);
  change();
  return hashOfInputs(root, { ...SETTINGS, ...settings }) !== before;
}

it.each(FILES)('changes with the content of %s', (path) => {
  expect(changes(() => appendFileSync(join(root, path), ' '))).toBe(true);
});

it.each(FILES)('changes when %s is deleted', (path) => {
  expect(changes(() => rmSync(join(root, path)))).toBe(true);
});

it.each<[string, Partial<SynthesisSettings>]>([
  ['the configuration', { config: '{"stage":"a"}' }],
  ['the version of Node', { nodeVersion: 'v24.0.1' }],
  ['a variable of the CDK', { env: { PATH: '/bin', CDK_VALIDATION: 'false' } }],
])('changes with %s', (_, settings) => {
  expect(changes(() => {}, settings)).toBe(true);
});

it.each<[string, () => void]>([
  ['a new file', () => write('lambda/new.ts', '')],
  ['a file with another name', () => renameSync(join(root, 'lib/config.ts'), join(root, 'lib/other.ts'))],
  [
    'a character that moves to the next file',
    () => {
      write('package-lock.json', 'conten');
      write('package.json', 'contentt');
    },
  ],
])('changes with %s', (_, change) => {
  expect(changes(change)).toBe(true);
});

it.each<[string, () => void, Partial<SynthesisSettings>]>([
  ['files that synthesis does not read', () => ['test/a.ts', 'docs/a.md', 'README.md'].forEach(touch), {}],
  ['other variables', () => {}, { env: { PATH: '/usr/bin', ANTHROPIC_API_KEY: 'k' } }],
  ['the time of a change', () => write('lib/config.ts', 'content'), {}],
])('does not change with %s', (_, change, settings) => {
  expect(changes(change, settings)).toBe(false);
});

const touch = (path: string) => write(path, 'content');
