import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, DEFAULT_URL } from '../../../../cli/ptp/context.ts';
import { credentialsPath, readCredentials, writeCredentials } from '../../../../cli/ptp/local-files.ts';
import { emptyFolder } from '../../../support/at-end.ts';
import { testRows } from '../../../support/rows.ts';

const [A, B, C] = ['https://a.example', 'https://b.example', 'https://c.example'];

const folder = emptyFolder();

/** Returns a context whose configuration is in a folder of its own. */
function context(env: Record<string, string> = {}, options: { url?: string } = {}) {
  const output = { write: () => {} };
  const variables = { XDG_CONFIG_HOME: folder, ...env };
  return createContext({ stdout: output, stderr: output, env: variables }, () => options, new AbortController().signal);
}

const login = (url: string, keys: Record<string, string>) =>
  writeCredentials({ url, keys }, { XDG_CONFIG_HOME: folder });
const deployed = (url: string) =>
  writeFileSync(join(folder, '.ptp.json'), JSON.stringify({ url, projectId: 'p', id: 'abcdefghijkl' }));

describe('the base URL', () => {
  it('is that of --url, then PTP_URL, then .ptp.json, then the last login, then the local service', () => {
    expect(context().baseUrl(folder)).toBe(DEFAULT_URL);
    login(A, {});
    expect(context().baseUrl(folder)).toBe(A);
    deployed(B);
    expect(context().baseUrl(folder)).toBe(B);
    expect(context().baseUrl(null)).toBe(A);
    expect(context({ PTP_URL: C }).baseUrl(folder)).toBe(C);
    expect(context({ PTP_URL: C }, { url: A }).baseUrl(folder)).toBe(A);
  });

  it('has no trailing slash, and may have a path', () => {
    expect(context({ PTP_URL: 'https://A.example:443/' }).baseUrl()).toBe(A);
    expect(context({ PTP_URL: 'https://a.example/stage/' }).baseUrl()).toBe(`${A}/stage`);
  });

  testRows(['a.example', 'ftp://a.example', 'https://a.example/?x', 'https://me:secret@a.example', ''])(
    'is rejected if it is no base URL',
    (url) => {
      expect(() => context({}, { url }).baseUrl()).toThrow(/^Invalid --url ".*": expected a base URL such as/);
    },
  );
});

describe('the API key', () => {
  it('is the one that was saved for the base URL, and no other', () => {
    login(A, { [A]: 'key-a', [B]: 'key-b' });
    deployed(B);
    expect([context().key(null), context().key(folder)]).toEqual(['key-a', 'key-b']);
    deployed(C);
    expect(context().key(folder)).toBeUndefined();
  });

  it('of PTP_API_KEY is used for a URL that the user named, but not for one that only .ptp.json names', () => {
    const PTP_API_KEY = 'key-env';
    login(A, { [A]: 'key-a' });
    expect(context({ PTP_API_KEY }).key(null)).toBe('key-env');
    expect(context({ PTP_API_KEY }, { url: B }).key(folder)).toBe('key-env');
    deployed(C);
    expect(() => context({ PTP_API_KEY }).key(folder)).toThrow(`set PTP_URL=${C} too`);
    expect(context({ PTP_API_KEY, PTP_URL: C }).key(folder)).toBe('key-env');
  });

  it('is required by commands that need one', async () => {
    await expect(context().client({ needsKey: true })).rejects.toMatchObject({
      message: `No API key for ${DEFAULT_URL}: run "ptp login", or set PTP_API_KEY`,
      status: 401,
    });
  });
});

describe('the login file', () => {
  it('can be read by its user only', () => {
    login(A, { [A]: 'key-a' });
    const path = credentialsPath({ XDG_CONFIG_HOME: folder });
    expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readCredentials({ XDG_CONFIG_HOME: folder })).toEqual({ url: A, keys: { [A]: 'key-a' } });
  });

  testRows(['', '[]', '"text"', '{'])('that is not a JSON object is rejected with what to do', (content) => {
    login(A, {});
    writeFileSync(credentialsPath({ XDG_CONFIG_HOME: folder }), content);
    expect(() => context().key()).toThrow(/credentials\.json is not a JSON object: delete it and run ptp login$/);
  });
});
