import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFolder } from '../../../client/folder.ts';
import { temporaryFolder } from '../../support/at-end.ts';

const folder = temporaryFolder();
mkdirSync(join(folder, 'assets/images'), { recursive: true });
writeFileSync(join(folder, 'index.html'), '<title>Ü</title>');
writeFileSync(join(folder, 'assets/images/dot.png'), Uint8Array.of(137, 80, 0));
writeFileSync(join(folder, 'assets/.hidden'), '');
symlinkSync('/etc/hostname', join(folder, 'link'));
symlinkSync('/etc', join(folder, 'assets/linked'));

it('reads all files of a folder as bytes, without links', async () => {
  const files = await readFolder(folder);
  expect(files.map(({ path, content }) => [path, Buffer.from(content).toString('hex')])).toEqual([
    ['assets/.hidden', ''],
    ['assets/images/dot.png', '895000'],
    ['index.html', Buffer.from('<title>Ü</title>').toString('hex')],
  ]);
});

it('reads only the files that are accepted', async () => {
  const files = await readFolder(folder, (path) => path.startsWith('assets/images/'));
  expect(files.map(({ path }) => path)).toEqual(['assets/images/dot.png']);
});

it('fails for a folder that does not exist', async () => {
  await expect(readFolder(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});
