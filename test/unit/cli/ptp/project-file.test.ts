import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProject, readProject, writeProject } from '../../../../cli/ptp/local-files.ts';
import { testRows } from '../../../support/rows.ts';
import { plant } from '../folder/tree.ts';

let folder: string;
beforeEach(() => {
  folder = plant({});
});
afterEach(() => rmSync(folder, { recursive: true }));

const local = { url: 'http://localhost:3000', projectId: 'a', id: 'one', token: 'ptd_1' };
const cloud = { url: 'https://ptp.example.com', projectId: 'b', id: 'two', owner: 'key' } as const;

describe('.ptp.json', () => {
  it('is readable by its user only', () => {
    writeFileSync(join(folder, '.ptp.json'), JSON.stringify(local), { mode: 0o644 });
    writeProject(folder, local);
    expect(statSync(join(folder, '.ptp.json')).mode & 0o777).toBe(0o600);
  });

  it('keeps the deployments at other base URLs and of other projects', () => {
    expect(readProject(folder)).toBeUndefined();
    writeProject(folder, { ...local, version: 'v1', files: { 'index.html': 'ab' } });
    writeProject(folder, cloud);
    expect(readProject(folder)).toEqual(cloud);
    expect(findProject(folder, local.url)).toEqual({ ...local, version: 'v1' });
    writeProject(folder, { ...local, projectId: 'c', id: 'three' });
    expect(findProject(folder, local.url)).toMatchObject({ id: 'three' });
    expect(findProject(folder, local.url, 'a')).toMatchObject({ id: 'one', token: 'ptd_1' });
    expect(findProject(folder, cloud.url)).toEqual(cloud);
    expect(findProject(folder, cloud.url, 'a')).toBeUndefined();
  });

  it('replaces the deployment of the same project', () => {
    writeProject(folder, local);
    writeProject(folder, { ...local, version: 'v2' });
    expect(JSON.parse(readFileSync(join(folder, '.ptp.json'), 'utf8'))).toEqual({ ...local, version: 'v2' });
  });

  testRows([
    ['{', 'is not a JSON object'],
    ['[]', 'is not a JSON object'],
    ['{"url": "http://localhost:3000", "projectId": "a"}', 'has no "id"'],
    [JSON.stringify({ ...local, others: [{ url: 'x', id: 'y' }] }), 'has no "projectId"'],
  ])('aborts with advice if it is malformed', (content, message) => {
    writeFileSync(join(folder, '.ptp.json'), content);
    const name = join(folder, '.ptp.json');
    expect(() => readProject(folder)).toThrow(`${name} ${message}: repair or delete it`);
    expect(() => writeProject(folder, local)).toThrow('repair or delete it');
    expect(readFileSync(name, 'utf8')).toBe(content);
  });
});
