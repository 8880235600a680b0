import { namesType } from '../../../lambda/platform/accept-headers.ts';
import { testRows } from '../../support/rows.ts';

testRows<[accept: string | undefined, expected: boolean]>([
  ['text/event-stream', true],
  ['application/json, text/event-stream;q=0', false],
  ['text/event-stream ; q=0.0 , */*', false],
  ['text/event-stream; Q=0.000', false],
  ['x-text/event-stream', false],
])('finds a media type that is acceptable', (accept, expected) => {
  expect(namesType(accept, 'text/event-stream')).toBe(expected);
});
