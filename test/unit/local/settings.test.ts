import { resolve } from 'node:path';
import { readSettings } from '../../../local/settings.ts';

it.each([{}, { PORT: '', BACKEND_PORT: '', STATE_DIR: '', CONFIG_FILE: '' }])(
  'has defaults with %j',
  (env) => {
    expect(readSettings(env)).toEqual({
      port: 3000,
      backendPort: 3009,
      stateDir: resolve('.local'),
      configFile: resolve('config/local.json'),
    });
  },
);

it.each([
  [{ PORT: '0' }, 'PORT must be a port from 1 to 65535, not "0"'],
  [{ BACKEND_PORT: 'x' }, 'BACKEND_PORT must be a port from 1 to 65535, not "x"'],
  [{ PORT: '3009' }, 'PORT and BACKEND_PORT must differ, both are 3009'],
])('refuses %j', (env, sentence) => {
  expect(() => readSettings(env)).toThrow(sentence);
});

it('rejects a STATE_DIR that is a file', () => {
  expect(() => readSettings({ STATE_DIR: 'package.json' })).toThrow(
    `STATE_DIR must be a folder, but ${resolve('package.json')} is a file`,
  );
});
