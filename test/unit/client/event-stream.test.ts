import fc from 'fast-check';
import { EventParser } from '../../../client/event-stream.ts';
import { linearTime } from '../../support/linear-time.ts';
import { testRows } from '../../support/rows.ts';
import { runs } from '../../support/soak.ts';

const parse = (...chunks: string[]) => {
  const parser = new EventParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};

const message = (data: string, id = '', type = 'message') => ({ id, type, data });

// The examples of WHATWG HTML, 9.2.6, and its rules one by one.
testRows([
  ['data: YHOO\ndata: +2\ndata: 10\n\n', [message('YHOO\n+2\n10')]],
  ['data:test\n\ndata: test\n\n', [message('test'), message('test')]],
  // One space is removed.
  ['data:  a \n\n', [message(' a ')]],
  ['data\n\ndata\ndata\n\ndata:', [message(''), message('\n')]],
  ['data: a: b\n\n', [message('a: b')]],
  ['event: a\nid: 1\n\ndata: b\n\n', [message('b', '1')]],
  ['id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n', [message('a', '1'), message('b', '1'), message('c')]],
  ['id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n', [message('a', '1'), message('b', '1')]],
  ['event: a\nevent: b\ndata: c\n\n', [message('c', '', 'b')]],
  ['retry: 5\nDATA: x\n data: y\nfoo: z\ndata: a\n\n', [message('a')]],
  // An event that is not complete.
  ['data: a\n\ndata: b\n', [message('a')]],
  // Unicode line separators end no line.
  ['data: a\u2028b\u0085c\n\n', [message('a\u2028b\u0085c')]],
])('reads streams as the standard says', (text, events) => {
  expect(parse(text)).toEqual(events);
  expect(parse(text.replaceAll('\n', '\r\n'))).toEqual(events);
  expect(parse(text.replaceAll('\n', '\r'))).toEqual(events);
});

it('reports comments, which are a sign of life', () => {
  expect(parse(':\n\n: keep-alive\n\n')).toEqual(['comment', 'comment']);
});

it('reads the same however the text is split and its lines end', () => {
  const line = fc.constantFrom('data: a', 'data: 😀:', 'data', 'id: 7', 'event: file', ': x', '', '', 'retry: 1');
  const end = fc.constantFrom('\n', '\r\n', '\r');
  const text = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(40)), (whole, sizes) => {
      const chunks: string[] = [];
      let rest = whole;
      for (const size of sizes) {
        chunks.push(rest.slice(0, size));
        rest = rest.slice(size);
      }
      expect(parse(...chunks, rest)).toEqual(parse(whole));
    }),
    { numRuns: runs(500) },
  );
});

it('reads a line of many chunks in linear time', () => {
  const pieces = (chunk: string) => Array.from({ length: 2 ** 14 }, () => chunk);
  const check = linearTime(() => parse(...pieces(`data: ${'x'.repeat(56)}\n\n`)));
  check(() => parse('data: ', ...pieces('x'.repeat(64)), '\n\n'));
});
