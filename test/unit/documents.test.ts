import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prose } from '../support/markdown.ts';

const DOCUMENTS = ['*.md', 'docs/**/*.md', 'evaluate/*.md', 'local/*.md'].flatMap((pattern) => globSync(pattern));

const read = (file: string) => prose(readFileSync(file, 'utf8'));

/** Returns the anchors that GitHub gives to the headings of a document. */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of read(file).matchAll(/^#+ (.*)$/gm)) {
    const words = heading.replace(/\]\(.*?\)/g, '').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let repetition = 1; anchors.has(anchor); repetition++) anchor = `${slug}-${repetition}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Returns the links of a document to files of the repository, as they are written. */
function relativeLinks(file: string): string[] {
  const text = read(file).replace(/`[^`\n]*`/g, '');
  return Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter(
    (target) => !/^[a-z]+:/.test(target),
  );
}

function isBroken(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : join(dirname(file), path);
  return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor));
}

it('has documents with links that resolve', () => {
  expect(DOCUMENTS).toEqual(expect.arrayContaining(['README.md', 'docs/tutorial.md', 'local/README.md']));
  const links = DOCUMENTS.flatMap((file) => relativeLinks(file).map((link) => ({ file, link })));
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(({ file, link }) => isBroken(file, link))).toEqual([]);
});

it('has a README of at most 150 lines', () => {
  expect(readFileSync('README.md', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});
