import { readPackument } from '../../../../lambda/builds/packages/registry.ts';

const read = (document: unknown) => readPackument('a', Buffer.from(JSON.stringify(document)));

test('a name is as old as its first version if the registry does not say more', () => {
  const time = {
    '2.0.0': '2024-05-01T00:00:00Z',
    '1.0.0': '2023-01-01T00:00:00Z',
    modified: '2020-01-01T00:00:00Z',
  };
  const versions = { '1.0.0': {}, '2.0.0': {}, '3.0.0': {} };
  expect(read({ versions, time })?.created).toBe(Date.UTC(2023, 0, 1));
  expect(read({ versions, time: { ...time, created: '2022-01-01T00:00:00Z' } })?.created).toBe(Date.UTC(2022, 0, 1));
  expect(read({ versions })?.created).toBeUndefined();
});

test('documents of any shape are data', () => {
  for (const document of [
    null,
    [],
    'text',
    { versions: [] },
    { versions: { '1.0.0': null }, time: 7, 'dist-tags': [1] },
  ]) {
    expect(read(document)?.manifest('1.0.0')).toBeUndefined();
  }
  expect(readPackument('a', Buffer.from('<html>'))).toBeUndefined();
  const hostile = {
    dist: { integrity: 'sha512-x' },
    dependencies: { '../x': '1', ok: '1', n: 1 },
    peerDependencies: [],
  };
  const shasum = '0'.repeat(40);
  const manifest = read({ versions: { '1.0.0': { ...hostile, dist: { shasum } } } })?.manifest('1.0.0');
  expect(manifest?.needs).toEqual([{ name: 'ok', spec: '1', kind: 'dependency' }]);
  expect(manifest?.integrity).toBe('sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=');
  for (const dist of [hostile.dist, { shasum: `${shasum}0` }, { shasum: 'x'.repeat(40) }, { shasum: 7 }])
    expect(read({ versions: { '1.0.0': { ...hostile, dist } } })?.manifest('1.0.0')).toBeUndefined();
});
