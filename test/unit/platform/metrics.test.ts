import { emitMetrics } from '../../../lambda/platform/log.ts';
import { logLines } from '../../support/log-lines.ts';

afterEach(() => {
  delete process.env.METRICS_NAMESPACE;
});

it('writes metrics in the embedded metric format', () => {
  process.env.METRICS_NAMESPACE = 'PromptToProject-prod';
  emitMetrics('Milliseconds', { FirstFile: 1_200 }, { Provider: 'anthropic' });
  expect(logLines.map((line) => JSON.parse(line))).toEqual([
    {
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'PromptToProject-prod',
            Dimensions: [['Provider']],
            Metrics: [{ Name: 'FirstFile', Unit: 'Milliseconds' }],
          },
        ],
      },
      Provider: 'anthropic',
      FirstFile: 1_200,
    },
  ]);
});

it('writes nothing without a namespace', () => {
  emitMetrics('Count', { Limited: 1 });
  expect(logLines).toEqual([]);
});
