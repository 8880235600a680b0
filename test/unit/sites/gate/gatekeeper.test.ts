import { gatekeeper, listedUrls } from '../../../../lambda/sites/gate/gatekeeper.ts';
import { parseConfig } from '../../../../lib/config.ts';
import { filesOf } from '../../../support/build-project.ts';
import { page } from '../../../support/gate/sample.ts';
import { testRows } from '../../../support/rows.ts';

const LIST = `# Hosts and beginnings of URLs
bad.example
https://shared.example/~eve/   # a folder
Shared.example/login?id=7
not a host at all
`;

testRows([
  ['https://bad.example/', true],
  ['http://www.bad.example:8080/x', true],
  ['https://notbad.example/', false],
  ['https://bad.example.org/', false],
  ['https://shared.example/~eve/kit', true],
  ['https://shared.example/~adam/', false],
  ['https://shared.example/login?id=77', true],
  ['https://shared.example/login?id=8', false],
  ['nonsense', false],
] satisfies [string, boolean][])('finds the URLs of a list', (url, isBad) => {
  expect(listedUrls(LIST)(url)).toBe(isBad);
});

describe('the gatekeeper', () => {
  const files = filesOf({
    'index.html': page('Links', '<a href="b.html">b</a>'),
    'b.html': page('B', '<a href="https://bad.example/x">x</a><input type="password">'),
  });

  test('adds points that no bound allows for a URL that is listed, with the file that names it', async () => {
    const gate = await gatekeeper([], listedUrls(LIST))(files, 'index.html');
    expect(gate?.reasons[0]).toEqual({
      kind: 'url',
      reason: 'It names a URL that is listed as bad: "https://bad.example/x"',
      path: 'b.html',
      points: 300,
    });
    expect(gate?.points).toBe(310);
    expect(() => parseConfig({ gate: { keyPoints: 300 } }, 'test')).toThrow('keyPoints');
  });

  test('looks nothing up without a list, and returns nothing for a site without points', async () => {
    expect((await gatekeeper([], listedUrls(''))(files, 'index.html'))?.points).toBe(10);
    expect(await gatekeeper([], listedUrls(''))(filesOf({ 'index.html': page('A', '') }), 'index.html')).toBe(
      undefined,
    );
  });
});
