import { jest } from '@jest/globals';
import { emitMetrics } from '../../../lambda/platform/metrics.ts';

function written(emit: () => void): unknown[] {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    emit();
    return write.mock.calls.map(([line]) => JSON.parse(String(line)));
  } finally {
    write.mockRestore();
  }
}

afterEach(() => {
  delete process.env.METRICS_NAMESPACE;
});

it('writes metrics in the embedded format, with the values beside the metadata', () => {
  process.env.METRICS_NAMESPACE = 'PromptToProject-prod';
  const emit = () => emitMetrics('Milliseconds', { FirstFile: 1_200 }, { Provider: 'anthropic' });
  expect(written(emit)).toEqual([
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

it('writes nothing outside of a function', () => {
  expect(written(() => emitMetrics('Count', { Limited: 1 }))).toEqual([]);
});
