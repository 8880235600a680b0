import { chromiumPath, lookVariables, missingChromium } from '../../../local/chromium.ts';
import { installedPath } from '../../../local/install-chromium.ts';

/** Returns the path that is found on a machine with these files. */
const found = (platform: string, files: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  chromiumPath({ platform, env, exists: (path) => files.includes(path) });

it('finds the browser of each platform, Chromium first', () => {
  const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  const chromium = '/Applications/Chromium.app/Contents/MacOS/Chromium';
  expect(found('darwin', [chrome])).toBe(chrome);
  expect(found('darwin', [chrome, chromium])).toBe(chromium);
  expect(found('linux', ['/usr/bin/google-chrome', '/usr/bin/chromium'])).toBe('/usr/bin/chromium');
  const shell = '/usr/bin/chromium-headless-shell';
  expect(found('linux', ['/usr/bin/chromium', shell])).toBe(shell);
});

it('prefers the browser that PTP_CHROMIUM names', () => {
  expect(found('linux', ['/usr/bin/chromium', '/opt/own'], { PTP_CHROMIUM: '/opt/own' })).toBe('/opt/own');
});

it.each<[string, NodeJS.ProcessEnv, string]>([
  ['the named one does not exist', { PTP_CHROMIUM: '/opt/none' }, 'Cannot find the browser /opt/none'],
  ['there is none', {}, 'set PTP_CHROMIUM to its path'],
])('says what to do if %s', (_, env, message) => {
  for (const platform of ['linux', 'darwin', 'win32']) expect(() => found(platform, [], env)).toThrow(message);
});

it('tells functions where the browser is, or why none is used', () => {
  const variables = (files: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    lookVariables({ platform: 'linux', env, exists: (path) => files.includes(path) });
  expect(variables(['/usr/bin/chromium'])).toEqual({ PTP_CHROMIUM: '/usr/bin/chromium' });
  expect(variables([])).toEqual({
    LOOK_SKIPPED: expect.stringMatching(/^No browser was found: run "sudo apt-get install chromium", or set/),
  });
  const off = { LOOK_SKIPPED: 'No browser is used (PTP_CHROMIUM is none)' };
  expect(variables(['/usr/bin/chromium'], { PTP_CHROMIUM: 'none' })).toEqual(off);
  expect(() => variables(['/usr/bin/chromium'], { PTP_CHROMIUM: '/opt/none' })).toThrow('/opt/none');
});

it('installs a browser only where none is found or named, and finds it afterwards', () => {
  const missing = (files: readonly string[], env: NodeJS.ProcessEnv = {}, installed: string | undefined = '/own') =>
    missingChromium({ platform: 'linux', env, exists: (path) => files.includes(path), installed });
  expect(missing([])).toBe('/own');
  expect(missing(['/usr/bin/chromium'])).toBeUndefined();
  expect(missing(['/own'])).toBeUndefined();
  expect(missing([], { PTP_CHROMIUM: 'none' })).toBeUndefined();
  const machine = {
    platform: 'linux',
    env: {},
    exists: (path: string) => path === '/own',
    installed: '/own',
  };
  expect(chromiumPath(machine)).toBe('/own');
  expect(lookVariables({ ...machine, exists: () => false }, '/own')).toEqual({ PTP_CHROMIUM: '/own' });
});

it('knows a place for the browser on Linux alone, in a cache of its own', () => {
  const env = { HOME: '/home/ada' };
  expect(installedPath({ platform: 'linux-x64', env })).toMatch(
    /^\/home\/ada\/\.cache\/prompt-to-project\/chromium-[0-9a-f]{12}\//,
  );
  expect(installedPath({ platform: 'linux-x64', env: { ...env, XDG_CACHE_HOME: '/c' } })).toMatch(/^\/c\/p/);
  for (const platform of ['linux-arm64', 'darwin-arm64']) expect(installedPath({ platform, env })).toBeUndefined();
});
