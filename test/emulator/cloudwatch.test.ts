import { Alarms } from '../../local/cloud/cloudwatch/cloudwatch.ts';
import { evaluate, Metrics } from '../../local/cloud/cloudwatch/metrics.ts';
import { resource, stackOf } from '../support/emulated.ts';
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

it('goes off while enough of the latest periods are above the threshold, the latest of which is 0 if it is filled', () => {
  const metric = { namespace: 'Test', name: 'Errors', dimensions: {} };
  const alarm = {
    ComparisonOperator: 'GreaterThanThreshold',
    Threshold: 1,
    EvaluationPeriods: 5,
    DatapointsToAlarm: 3,
    TreatMissingData: 'notBreaching',
  };
  const own = { Namespace: 'Test', MetricName: 'Errors', Statistic: 'Sum', Period: 60 };
  const query = { Metric: { Namespace: 'Test', MetricName: 'Errors' }, Period: 60, Stat: 'Sum' };
  const sum = [
    { Id: 'm', MetricStat: query, ReturnData: false },
    { Id: 'sum', Expression: 'FILL(m, 0)' },
  ];
  const stack = stackOf({
    Resources: {
      Known: resource('AWS::CloudWatch::Alarm', { ...alarm, ...own }),
      Filled: resource('AWS::CloudWatch::Alarm', { ...alarm, Metrics: sum }),
    },
  });
  const metrics = new Metrics();
  const alarms = new Alarms(stack, metrics, { quota: 1, periodSeconds: 10 });
  const changesAt = (seconds: number) => alarms.evaluate(seconds * 1_000).map((one) => `${one.alarm} ${one.state}`);
  // Two in each of three periods of ten seconds, and one in those between.
  for (const at of [1, 5, 12, 21, 25, 32, 41, 45]) metrics.put(metric, 1, at * 1_000);
  expect([30, 40, 50, 60, 100].map(changesAt)).toEqual([[], [], ['Known ALARM'], ['Known OK'], []]);
  for (const at of [111, 115, 121, 125, 131, 135]) metrics.put(metric, 1, at * 1_000);
  expect([130, 140, 150, 160, 170].map(changesAt)).toEqual([
    [],
    ['Known ALARM'],
    ['Filled ALARM'],
    [],
    ['Known OK', 'Filled OK'],
  ]);
});
