import { boundedProblems, boundedText } from '../../../lambda/platform/bounded.ts';
import { countFailedRequest, emitMetrics, log, logAbout, loggedIds } from '../../../lambda/platform/log.ts';
import { logLines } from '../../support/log-lines.ts';
import { testRows } from '../../support/rows.ts';

const ID = 'V1StGXR8_Z5jdHi6B-myT';
const SHORT = 'V1StGXR8_Z5j';

testRows([
  [`GET /api/v1/generations/${ID}`, `GET /api/v1/generations/${SHORT}…`],
  [`There is no object generations/${ID}/x`, `There is no object generations/${SHORT}…/x`],
  [`There is no generation ${ID}`, `There is no generation ${SHORT}…`],
  [`PUT staged/${ID}-${ID}`, `PUT staged/${SHORT}…`],
  [
    `arn:aws:states:us-east-1:1:execution:Machine-a1:${ID}-0`,
    `arn:aws:states:us-east-1:1:execution:Machine-a1:${SHORT}…`,
  ],
  ['The generation timed out', 'The generation timed out'],
])('masks the ids that grant access', (message, logged) => {
  logAbout({ generation: ID });
  log.error('failed', { error: new Error(message) });
  const { message: written, stack, generation } = JSON.parse(logLines.pop() ?? '');
  expect([written, generation, stack.includes(ID)]).toEqual([logged, SHORT, false]);
});

it('passes no id that grants access to another function', () => {
  logAbout({ generation: ID, attempt: 1 });
  expect(loggedIds()).toEqual({ generation: SHORT, attempt: 1 });
});

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

it('counts failed requests by the version of the function, but not those that were throttled', () => {
  process.env.METRICS_NAMESPACE = 'PromptToProject-prod';
  Object.assign(process.env, { AWS_LAMBDA_FUNCTION_NAME: 'site', AWS_LAMBDA_FUNCTION_VERSION: '12' });
  const throttled = Object.assign(new Error('Too fast'), { name: 'ThrottlingException' });
  countFailedRequest(throttled);
  countFailedRequest(new Error('The page was not read', { cause: throttled }));
  expect(logLines).toEqual([]);
  countFailedRequest(new Error('A mistake'));
  delete process.env.AWS_LAMBDA_FUNCTION_NAME;
  delete process.env.AWS_LAMBDA_FUNCTION_VERSION;
  expect(JSON.parse(logLines.pop() ?? '')).toMatchObject({
    Function: 'site',
    Version: '12',
    FailedRequests: 1,
  });
});

it('writes nothing without a namespace', () => {
  emitMetrics('Count', { Limited: 1 });
  expect(logLines).toEqual([]);
});

const problems = (count: number, text = 'a problem') => Array.from({ length: count }, (_, i) => `${text} ${i}`);

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
