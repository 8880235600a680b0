import { boundedProblems, boundedText } from '../../../lambda/platform/bounded.ts';

const problems = (count: number, text = 'a problem') =>
  Array.from({ length: count }, (_, i) => `${text} ${i}`);

describe('a bounded text', () => {
  it('has at most 300 characters and an ellipsis', () => {
    expect(boundedText('a'.repeat(300))).toBe('a'.repeat(300));
    expect(boundedText('a'.repeat(301))).toBe(`${'a'.repeat(300)}…`);
  });

  it('never ends in half a character', () => {
    expect(boundedText(`${'a'.repeat(299)}😀😀`)).toBe(`${'a'.repeat(299)}…`);
  });
});

describe('a bounded list of problems', () => {
  it('has 40 problems, and how many more there are', () => {
    expect(boundedProblems(problems(40))).toEqual(problems(40));
    expect(boundedProblems(problems(52))).toEqual([...problems(40), 'and 12 more']);
  });

  it('counts right when bounded lists are joined, and bounded again', () => {
    const joined = boundedProblems([...boundedProblems(problems(45)), ...boundedProblems(problems(50))]);
    expect(joined).toEqual([...problems(40), 'and 55 more']);
    expect(boundedProblems(joined)).toEqual(joined);
  });

  it('has bounded texts', () => {
    expect(boundedProblems(['x'.repeat(8_000)])).toEqual([`${'x'.repeat(300)}…`]);
  });
});
