import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../../../cli/ptp/context.ts';
import { explainBuild, problemLines } from '../../../../cli/ptp/problems.ts';
import { ApiError, type BuildProblem } from '../../../../client/client.ts';
import { painter, widthOf } from '../../../../terminal/text.ts';
import { temporaryFolder } from '../../../support/at-end.ts';

const SOURCE = [
  "import a from 'a';",
  '\tconst 文 = Github(); // \u202e\u001b[31m',
  `${'x'.repeat(300)}BAD${'y'.repeat(300)}`,
];
const AT = { path: 'src/App.tsx', line: 2, message: '"Github" is not exported by lucide-react' };
const lines = (problem: BuildProblem, columns = 60, source: readonly string[] | undefined = SOURCE) =>
  problemLines([problem], () => source, columns, painter(false));

describe('a problem of a build', () => {
  it('has its place, the line and a caret below the column', () => {
    expect(lines({ ...AT, column: 12 })).toEqual([
      'src/App.tsx:2:12: "Github" is not exported by lucide-react',
      '  2 │   const 文 = Github(); // [31m',
      '    │              ^',
      '',
    ]);
  });

  it('has its place in bold, if it has one', () => {
    const [bold, plain] = [{ ...AT, column: 12 }, { message: 'No index.html' }].map(
      (problem) => problemLines([problem], () => undefined, 60, painter(true))[0],
    );
    expect(bold).toBe('\u001b[1msrc/App.tsx:2:12\u001b[22m: "Github" is not exported by lucide-react');
    expect(plain).toBe('No index.html');
  });

  it('is shown around the column, in a line of the terminal', () => {
    const [, text = '', caret = ''] = lines({ ...AT, line: 3, column: 301 });
    expect(text.slice(0, 7)).toBe('  3 │ …');
    expect(text.slice(caret.indexOf('^'), caret.indexOf('^') + 3)).toBe('BAD');
    expect(widthOf(text)).toBeLessThanOrEqual(60);
  });

  it('is broken between words', () => {
    expect(lines(AT, 30).slice(0, 3)).toEqual([
      'src/App.tsx:2: "Github" is not',
      '  exported by lucide-react',
      expect.stringContaining('2 │'),
    ]);
  });

  it('has what is known of its place', () => {
    expect(lines({ message: 'No index.html' })).toEqual(['No index.html', '']);
    expect(lines({ path: 'package.json', message: 'Invalid' })).toEqual(['package.json: Invalid', '']);
    expect(lines({ ...AT, column: 999, excerpt: 'of the service' })[1]).toBe('  2 │   const 文 = Github(); // [31m');
    const elsewhere = problemLines([{ ...AT, excerpt: 'of the service' }], () => undefined, 60, painter(false));
    expect(elsewhere[1]).toBe('  2 │ of the service');
  });

  const folder = temporaryFolder();
  it('is printed with lines of the folder, and of no other one', () => {
    writeFileSync(join(folder, 'a.ts'), 'first\r\nsecond');
    const printed: string[] = [];
    const stderr = { write: (text: string) => printed.push(text) };
    mkdirSync(join(folder, 'src/.made'), { recursive: true });
    writeFileSync(join(folder, 'src/.made/b.tsx'), '');
    const context = { columns: 200, color: false, stderr } as unknown as Context;
    const problems = [
      { path: 'a.ts', line: 2, column: 1, message: 'One' },
      { path: '../../etc/passwd', line: 1, column: 1, message: 'Two' },
      { message: '"./b" is not in the project: there is no file src/.made/b' },
      { message: 'there is no file ../../etc/passwd' },
    ];
    const error = new ApiError('a.ts:2:1: One', 400, { problems });
    const explained = explainBuild(error, folder, 'Nothing was deployed', context);
    expect(explained).toMatchObject({
      message: 'The build failed with 4 problems. Nothing was deployed',
      status: 400,
    });
    const missing =
      '"./b" is not in the project: there is no file src/.made/b. src/.made/b.tsx is in this folder, but was left out: add "!src/.made/" to .ptpignore to send it';
    expect(printed.join('')).toBe(
      `a.ts:2:1: One\n  2 │ second\n    │ ^\n\n../../etc/passwd:1:1: Two\n\n${missing}\n\nthere is no file ../../etc/passwd\n\n`,
    );
    const other = new Error('x');
    expect(explainBuild(other, folder, '', context)).toBe(other);
  });
});
