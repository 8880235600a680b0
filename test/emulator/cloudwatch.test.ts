import { evaluate } from '../../local/cloud/cloudwatch/metrics.ts';
import { testRows } from '../support/rows.ts';

testRows([
  ['a + b * 2', { a: 1, b: 3 }, 7],
  ['(a + b) * 2', { a: 1, b: 3 }, 8],
  ['a - b - 1', { a: 5, b: 3 }, 1],
  ['a + b', { a: 1, b: undefined }, undefined],
  ['FILL(a, 0) + FILL(b, 0)', { a: 1, b: undefined }, 1],
  ['IF(errors > 10, 100 * errors / requests, 0)', { errors: 11, requests: 44 }, 25],
  ['IF(errors > 10, 100 * errors / requests, 0)', { errors: 10, requests: 10 }, 0],
  ['100 * running / SERVICE_QUOTA(running)', { running: 90 }, 9],
] as const)('metric math has a value if all metrics have one', (expression, values, expected) => {
  expect(evaluate(expression, values, 1_000)).toBe(expected);
});

it('rejects unsupported expressions', () => {
  expect(() => evaluate('ANOMALY_DETECTION_BAND(a)', { a: 1 })).toThrow('ANOMALY_DETECTION_BAND');
  expect(() => evaluate('b', {})).toThrow('does not support b in b');
});
