import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stageFileOf } from '../../../bin/deploy/stage-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'ptp-stage-'));
const staging = join(folder, 'staging.json');
writeFileSync(staging, JSON.stringify({ stage: 'staging' }));
afterAll(() => rmSync(folder, { recursive: true }));

it('uses the configuration of the stage, of the environment, or the default one', () => {
  expect(stageFileOf(undefined, {}).file).toBe('config/default.json');
  expect(stageFileOf('prod', {}).file).toBe('config/default.json');
  expect(stageFileOf('local', {}).file).toBe('config/local.json');
  expect(stageFileOf(undefined, { CONFIG_FILE: staging }).config.stage).toBe('staging');
  expect(stageFileOf('staging', { CONFIG_FILE: staging }).file).toBe(staging);
});

it('rejects the configuration of another stage', () => {
  expect(() => stageFileOf('beta', {})).toThrow(
    'The configuration config/default.json is for the stage prod, not beta: create config/beta.json',
  );
  expect(() => stageFileOf('prod', { CONFIG_FILE: staging })).toThrow('for the stage staging, not prod');
});
