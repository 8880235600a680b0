import { spawnSync } from 'node:child_process';
import { DURATIONS } from '../../../lambda/contract/generate.ts';
import { file, project } from '../../unit/blueprints/prompts.ts';
import { emptyFolder, write } from '../../unit/blueprints/written.ts';

const python = (folder: string, ...words: string[]) => spawnSync('python3', words, { cwd: folder, encoding: 'utf8' });
const HAS_PYTHON = python('.', '--version').status === 0;

describe('an API in Python', () => {
  test('is for prompts that name Python or a framework of it', () => {
    for (const prompt of ['a Flask REST API for books', 'fastapi backend for a todo app', 'API in Python']) {
      const files = project(prompt);
      expect([prompt, file(files, 'server.py') !== '', file(files, 'server.js')]).toEqual([prompt, true, '']);
      expect(file(files, 'index.html')).toContain('$ python3 server.py');
    }
    expect(file(project('a REST API for books'), 'index.html')).toContain('$ node server.js');
  });

  (HAS_PYTHON ? test : test.skip).each(DURATIONS)('passes its tests at %s', async (duration) => {
    await using folder = await emptyFolder();
    const prompt = `a Flask REST API for "books'" with fields title, published year, "read", </script>`;
    await write(folder.path, project(prompt, duration));
    const { status, stderr } = python(folder.path, '-W', 'error', '-m', 'unittest');
    expect([status === 0 ? '' : stderr, status]).toEqual(['', 0]);
    expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).toBeGreaterThanOrEqual(3);
  });
});
