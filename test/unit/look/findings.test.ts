import { LOOK_LIMITS } from '../../../lambda/contract/looks.ts';
import { Findings, PageRecord } from '../../../lambda/look/findings.ts';
import { Places } from '../../../lambda/look/places.ts';

const error = { kind: 'error', message: 'Uncaught TypeError: x', path: 'a.js', line: 3 } as const;

it('lists a finding of both widths once, and names the width of others', () => {
  const findings = new Findings();
  findings.add(error, 1280);
  findings.add(error, 390);
  findings.add({ kind: 'wide', message: 'Wide' }, 390);
  expect(findings.list()).toEqual([error, { kind: 'wide', message: 'Wide', width: 390 }]);
});

it('keeps the first of equal errors, whose width is not known if the page is used', () => {
  const findings = new Findings();
  findings.add(error, 1280, 'after a press of "Save"');
  findings.add(error, 1280, 'after a press of "Load"');
  expect(findings.list()).toEqual([{ ...error, message: `${error.message}, after a press of "Save"` }]);
});

it('sorts what must not be published before the rest, then by kind and place, in any order of finding', () => {
  const problems = [
    { kind: 'hung', message: 'Hung', blocking: true },
    { kind: 'blank', message: 'Blank' },
    { kind: 'error', message: 'B', path: 'a.js', line: 2 },
    { kind: 'error', message: 'A', path: 'a.js', line: 10 },
    { kind: 'accessibility', message: 'A' },
  ] as const;
  const listOf = (order: readonly number[]) => {
    const findings = new Findings();
    for (const index of order) findings.add(problems[index] ?? problems[0]);
    return findings.list();
  };
  expect(listOf([4, 2, 0, 3, 1])).toEqual(problems);
  expect(listOf([3, 1, 4, 0, 2])).toEqual(problems);
});

it('bounds the sentences, without their action, and their number', () => {
  const findings = new Findings();
  const action = 'after a press of "Save"';
  for (let i = 0; i < 100; i++)
    findings.add({ kind: 'error', message: `${i} ${'x \n\t'.repeat(10_000)}` }, 390, action);
  const problems = findings.list();
  expect(problems).toHaveLength(LOOK_LIMITS.problems);
  for (const { message } of problems) {
    expect(message).toHaveLength(LOOK_LIMITS.characters);
    expect(message.endsWith(`…, ${action}`)).toBe(true);
    expect(message).not.toMatch(/\s\s|\n/);
  }
});

it('keeps a bounded number of each kind, so that no kind hides another', () => {
  const findings = new Findings();
  for (let i = 0; i < 1_000; i++) findings.add({ kind: 'console', message: `Console: ${i}`, path: `${i}.js` });
  findings.add({ kind: 'error', message: 'Uncaught', blocking: true });
  expect(findings.list()[0]).toMatchObject({ kind: 'error', blocking: true });
  expect(findings.list()).toHaveLength(LOOK_LIMITS.problems);
});

describe('of several pages', () => {
  const home = 'https://page.invalid/';
  const places = new Places({ home, files: new Map(), entry: 'index.html', pathOf: () => undefined });
  const about = { path: 'about.html', isWhole: true };

  it('names the page, blocks for the entry only, and lists what pages share once', () => {
    const findings = new Findings();
    const record = new PageRecord(390, places, findings);
    record.add({ kind: 'wide', message: 'Wide' });
    record.begin(about);
    record.add({ kind: 'wide', message: 'Wide' });
    record.add({ kind: 'blank', message: 'Nothing', blocking: true });
    record.add({ kind: 'error', message: 'Of the page', path: 'about.html', line: 1, blocking: true });
    record.add({ kind: 'error', message: 'Of a script', path: 'a.js', line: 1, blocking: true });
    record.begin({ path: 'contact.html', isWhole: true });
    record.add({ kind: 'blank', message: 'Nothing', blocking: true });
    record.begin({ path: 'index.html', view: '#/new', isWhole: true });
    record.add({ kind: 'blank', message: 'Nothing', blocking: true });
    const width = 390;
    expect(findings.list()).toEqual([
      { kind: 'blank', message: 'Nothing, at #/new', width },
      { kind: 'blank', message: 'Nothing', path: 'about.html', width },
      { kind: 'blank', message: 'Nothing', path: 'contact.html', width },
      { kind: 'error', message: 'Of a script, on about.html', path: 'a.js', line: 1, width },
      { kind: 'error', message: 'Of the page', path: 'about.html', line: 1, width },
      { kind: 'wide', message: 'Wide', width },
    ]);
    expect(findings.isBlank).toBe(false);
  });

  it('is certain of what a page shows only if visitors open it so', () => {
    const findings = new Findings();
    const record = new PageRecord(1280, places, findings);
    record.begin({ ...about, isWhole: false });
    record.add({ kind: 'error', message: 'Uncaught' });
    record.add({ kind: 'layout', message: 'Cut' });
    expect(findings.list()).toEqual([{ kind: 'layout', message: 'Cut', path: 'about.html', width: 1280 }]);
  });

  it('keeps what the entry did from what another page asks for elsewhere', () => {
    const record = new PageRecord(1280, places, new Findings());
    record.later(1, () =>
      record.refused.size === 0 ? { kind: 'error', message: 'Uncaught', blocking: true } : undefined,
    );
    record.begin(about);
    record.refuse('https://cdn.example/a.js');
    record.later(2, () => ({ kind: 'error', message: 'Elsewhere' }));
    record.begin(undefined);
    expect([record.refused.size, record.hasFailed]).toEqual([0, true]);
  });
});
