import { chromiumPath, lookVariables } from '../../../local/chromium.ts';

/** Returns the path that is found on a machine with these files. */
const found = (platform: string, files: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  chromiumPath({ platform, env, exists: (path) => files.includes(path) });

it('finds the browser of each platform, Chromium first', () => {
  const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  const chromium = '/Applications/Chromium.app/Contents/MacOS/Chromium';
  expect(found('darwin', [chrome])).toBe(chrome);
  expect(found('darwin', [chrome, chromium])).toBe(chromium);
  expect(found('linux', ['/usr/bin/google-chrome', '/usr/bin/chromium'])).toBe('/usr/bin/chromium');
});

it('prefers the browser that PTP_CHROMIUM names', () => {
  expect(found('linux', ['/usr/bin/chromium', '/opt/own'], { PTP_CHROMIUM: '/opt/own' })).toBe('/opt/own');
});

it.each<[string, NodeJS.ProcessEnv, string]>([
  ['the named one does not exist', { PTP_CHROMIUM: '/opt/none' }, 'Cannot find the browser /opt/none'],
  ['there is none', {}, 'set PTP_CHROMIUM to its path'],
])('says what to do if %s', (_, env, message) => {
  for (const platform of ['linux', 'darwin', 'win32'])
    expect(() => found(platform, [], env)).toThrow(message);
});

it('tells functions where the browser is, or why none is used', () => {
  const variables = (files: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    lookVariables({ platform: 'linux', env, exists: (path) => files.includes(path) });
  expect(variables(['/usr/bin/chromium'])).toEqual({ PTP_CHROMIUM: '/usr/bin/chromium' });
  expect(variables([])).toEqual({ LOOK_SKIPPED: expect.stringMatching(/^No browser was found: install/) });
  const off = { LOOK_SKIPPED: 'No browser is used (PTP_CHROMIUM is none)' };
  expect(variables(['/usr/bin/chromium'], { PTP_CHROMIUM: 'none' })).toEqual(off);
  expect(() => variables(['/usr/bin/chromium'], { PTP_CHROMIUM: '/opt/none' })).toThrow('/opt/none');
});
