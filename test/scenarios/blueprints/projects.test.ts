import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { ProjectFile } from '../../../blueprints/engine/compose.ts';
import { DURATIONS } from '../../../lambda/contract/generate.ts';
import { testRows } from '../../support/rows.ts';
import { SOAK } from '../../support/soak.ts';
import { CHOICES, file, ONE_OF_EACH, project } from '../../unit/blueprints/prompts.ts';
import { emptyFolder, write } from '../../unit/blueprints/written.ts';

describe('every project', () => {
  const REFERENCES: Readonly<Record<string, RegExp>> = {
    html: /(?:src|href)="([^"#]+)[^"]*"/g,
    js: /(?:from|import) '(\.[^']+)'/g,
    css: /url\(["']?([^"')]+)/g,
    json: /"src": "([^"]+)"/g,
  };
  const references = ({ path, content }: ProjectFile): string[] => {
    const pattern = REFERENCES[path.slice(path.lastIndexOf('.') + 1)];
    const found = pattern ? [...content.matchAll(pattern)].map((match) => match[1] ?? '') : [];
    return found
      .filter((reference) => !/^(?:data|mailto):/.test(reference))
      .map((reference) => posix.join(posix.dirname(path), reference));
  };

  testRows(ONE_OF_EACH.flatMap((prompt) => DURATIONS.map((duration) => [prompt, duration] as const)))(
    'is whole at every duration',
    (prompt, duration) => {
      const files = project(prompt, duration);
      const paths = files.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
      expect(paths).toContain('README.md');
      expect(paths[0]).toBe('index.html');
      expect(files.flatMap(references).filter((path) => !paths.includes(path))).toEqual([]);
      for (const { path, content } of files) {
        expect(content).not.toMatch(/\{\{\w|(?:<!--|\/\*) (?:[#/]|> )\w/);
        if (!path.endsWith('.js')) expect(content).not.toMatch(/undefined|\[object/);
        expect(`${path}: ${content.replaceAll('http://www.w3.org/2000/svg', '')}`).not.toMatch(
          /(?:src|href|action)=["']?(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\/|fetch\(['"](?:https?:)?\/\//,
        );
      }
      expect(file(files, 'README.md')).toContain('the embedded `blueprint` provider');
      expect(file(files, 'index.html')).toMatch(/<meta name="description" content="[^"]{20,}">/);
      expect(file(files, 'index.html')).not.toMatch(/ on\w+="| style="|<style|<script>/);
    },
  );

  test('is the same bytes for the same prompt', () => {
    const choices = CHOICES.filter((_, i) => SOAK || i % 10 === 0);
    for (const [prompt] of choices) expect(project(prompt, '10min')).toEqual(project(prompt, '10min'));
  });
});

describe('projects for Node.js', () => {
  test('the command-line tool adds, lists, completes and removes', async () => {
    await using folder = await emptyFolder();
    await write(folder.path, project('a command-line tool for books called "shelf"'));
    const run = (...words: string[]) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['cli.js', '--file', 'list.json', ...words],
        { cwd: folder.path, encoding: 'utf8' },
      );
      return { status, out: stdout.trim(), err: stderr.trim() };
    };
    expect(JSON.parse(await readFile(join(folder.path, 'package.json'), 'utf8')).bin).toEqual({
      shelf: './cli.js',
    });
    expect(run('list').out).toBe('No books here.');
    expect(run('add', 'Emma').out).toBe('Added 1  Emma');
    run('add', 'Middlemarch');
    expect(run('done', '1').out).toBe('Done 1  Emma');
    expect(run('list').out).toBe('2  Middlemarch');
    expect(JSON.parse(run('list', '--all', '--json').out)).toHaveLength(2);
    expect(run('remove', '2').out).toBe('Removed 2  Middlemarch');
    expect(run('done', '7')).toMatchObject({ status: 1, err: 'No entry has the number 7.' });
    expect(run('fly').status).toBe(2);
    expect(run('list', '--nothing').status).toBe(2);
    expect(run('--help')).toMatchObject({ status: 0, out: expect.stringContaining('shelf: manage books') });
  });

  test('the API creates, reads, searches, changes and deletes, and names what is wrong', async () => {
    await using folder = await emptyFolder();
    await write(folder.path, project('a REST API for books with fields title, author, year'));
    const server = spawn(process.execPath, ['server.js'], {
      cwd: folder.path,
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(server.stdout, 'data');
      const base = `${/http:\S+/.exec(String(line))?.[0]}/api/books`;
      const send = async (method: string, path: string, body?: unknown) => {
        const init =
          body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
        const response = await fetch(base + path, { method, ...init });
        return {
          status: response.status,
          headers: response.headers,
          body:
            response.status === 204 ? undefined : ((await response.json()) as { id: string; year: number }),
        };
      };
      const created = await send('POST', '', {
        title: 'Emma',
        author: 'Jane Austen',
        year: 1815,
        unknown: 1,
      });
      expect(created).toMatchObject({
        status: 201,
        body: { title: 'Emma', author: 'Jane Austen', year: 1815 },
      });
      expect(created.body).not.toHaveProperty('unknown');
      const item = `/${created.body?.id}`;
      expect(created.headers.get('location')).toBe(`/api/books${item}`);
      expect((await send('PATCH', item, { year: 1816 })).body?.year).toBe(1816);
      expect((await send('GET', '?search=austen')).body).toHaveLength(1);
      expect((await send('GET', '?search=tolstoy')).body).toEqual([]);
      expect(await send('POST', '', {})).toMatchObject({ status: 400, body: { error: 'title is missing' } });
      expect(await send('POST', '', { title: 'x', year: '1815' })).toMatchObject({
        status: 400,
        body: { error: 'year must be a number' },
      });
      expect(await send('POST', '', [])).toMatchObject({ status: 400 });
      expect(await send('POST', '', { title: 'x'.repeat(200_000) })).toMatchObject({ status: 413 });
      expect((await send('PUT', '', {})).headers.get('allow')).toBe('GET, POST');
      expect((await fetch(base, { method: 'POST', body: 'title=x' })).status).toBe(415);
      expect(await send('GET', '/nothing')).toMatchObject({ status: 404 });
      expect(JSON.parse(await readFile(join(folder.path, 'data.json'), 'utf8'))).toHaveLength(1);
      expect((await send('DELETE', item)).status).toBe(204);
      expect((await send('GET', '')).body).toEqual([]);
      const page = await fetch(new URL('/', base));
      for (const [, path = ''] of (await page.text()).matchAll(/(?:href|src)="([\w.]+)"/g))
        expect([path, (await fetch(new URL(`/${path}`, base))).status]).toEqual([path, 200]);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  });
});
