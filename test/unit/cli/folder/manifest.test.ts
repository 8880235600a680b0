import { existsSync } from 'node:fs';
import { checkManifest, findSite, manifestOf, warningOf } from '../../../../cli/folder/site.ts';
import { testRows } from '../../../support/rows.ts';
import { files, planter, type Tree } from './tree.ts';

const MB = 1_048_576;
const plant = planter();

function check(tree: Tree): string | undefined {
  const root = plant(tree);
  try {
    checkManifest(manifestOf(findSite(root), {}));
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(root, '.');
  }
}

const many = (count: number, content: string | Uint8Array): Tree =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`file-${i}`, content]));

describe('the limits of a deploy', () => {
  it('are those of the service', () => {
    expect(check(many(200, 'x'))).toBeUndefined();
    expect(check(many(10, new Uint8Array(MB)))).toBeUndefined();
  });

  testRows<[Tree, string]>([
    [
      many(201, 'x'),
      'There are 201 files, but a deployment has at most 200. The largest are file-0 (1 B), file-1 (1 B),',
    ],
    [
      {
        ...many(3, new Uint8Array(MB)),
        'a.bin': new Uint8Array(MB + 50_000),
        'b.bin': new Uint8Array(2 * MB),
      },
      'A file may have at most 1 MB: 2 files are larger. The largest are b.bin (2.00 MB), a.bin (1.05 MB): leave',
    ],
    [
      { ...many(10, new Uint8Array(MB)), z: 'z' },
      'The files have 10.00 MB, but a deployment at most 10 MB. The largest are',
    ],
    [files('a:b'), 'The path "a:b" has the character ":": rename the file, or leave it out with .ptpignore'],
    [files('.env', '.git/HEAD'), '. has no files to deploy: --dry-run says what is left out, and why'],
  ])('are checked before anything is sent', (tree, message) => {
    expect(check(tree)).toContain(message);
  });

  // On others, such as those of macOS, there can be only one of the two.
  const isCaseSensitive = !existsSync(import.meta.filename.toUpperCase());
  (isCaseSensitive ? it : it.skip)('include names that differ only in case', () => {
    expect(check(files('A.html', 'a.html'))).toContain('is the same file as "A.html" on some file systems: rename');
  });
});

it('warns, as the service does, of a page that loads sources', () => {
  const root = plant({
    'index.html': '<script type="module" src="/src/main.tsx"></script>',
    'src/main.tsx': '',
  });
  expect(warningOf(manifestOf(findSite(root), {}))).toMatch(/^Visitors see an empty page, .* \.tsx module/);
});
