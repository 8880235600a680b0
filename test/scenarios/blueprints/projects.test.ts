import { posix } from 'node:path';
import type { ProjectFile } from '../../../blueprints/engine/compose.ts';
import { DURATIONS } from '../../../lambda/contract/generate.ts';
import { testRows } from '../../support/rows.ts';
import { SOAK } from '../../support/soak.ts';
import { CHOICES, file, ONE_OF_EACH, project } from '../../unit/blueprints/prompts.ts';

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
