import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../../../cli/ptp/context.ts';
import { targetOf } from '../../../../cli/ptp/target.ts';
import { temporaryFolder } from '../../../support/at-end.ts';
import { testRows } from '../../../support/rows.ts';

const ID = 'abcdefghijkl';
const URL = 'https://ptp.example';

const cwd = temporaryFolder();
mkdirSync(join(cwd, 'site'));
const project = { url: URL, projectId: 'p', id: ID, token: 'ptd_x' };
writeFileSync(join(cwd, 'site', '.ptp.json'), JSON.stringify(project));

const context = (folder = cwd, url = URL) => ({ cwd: folder, baseUrl: () => url }) as unknown as Context;

testRows([
  'zyxwvutsrqpo',
  `${URL}/d/zyxwvutsrqpo`,
  `${URL}/d/zyxwvutsrqpo/deep/page?a#b`,
  `${URL}/d/zyxwvutsrqpo.zip`,
  'https://zyxwvutsrqpo.sites.example/page',
])('accepts every spelling of a deployment', (argument) => {
  expect(targetOf(argument, context())).toEqual({ id: 'zyxwvutsrqpo', folder: cwd });
});

it('finds the deployment of a folder with its token', () => {
  const folder = join(cwd, 'site');
  const expected = { id: ID, folder, token: 'ptd_x' };
  expect(targetOf('site', context())).toEqual(expected);
  expect(targetOf(undefined, context(folder))).toEqual(expected);
  expect(targetOf(ID, context(folder))).toEqual(expected);
});

it('never uses the token of a folder for another deployment or service', () => {
  const folder = join(cwd, 'site');
  expect(targetOf('zyxwvutsrqpo', context(folder))).toEqual({ id: 'zyxwvutsrqpo', folder });
  expect(targetOf(ID, context(folder, 'https://other.example'))).toEqual({ id: ID, folder });
});

testRows([
  ['nope', '"nope" is neither the id of a deployment, nor a URL, nor a folder'],
  ['https://example.com/', '"https://example.com/" is neither'],
  [undefined, 'Nothing was deployed from '],
])('rejects anything else', (argument, message) => {
  expect(() => targetOf(argument, context())).toThrow(message);
});
