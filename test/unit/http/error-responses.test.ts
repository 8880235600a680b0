import { ApiError } from '../../../lambda/contract/errors.ts';
import { errorMapper } from '../../../lambda/http/error-responses.ts';
import type { ApiRequest } from '../../../lambda/http/request.ts';
import { logLines } from '../../support/log-lines.ts';

afterEach(() => {
  delete process.env.METRICS_NAMESPACE;
});

const timeout = Object.assign(new Error('No response'), { name: 'TimeoutError' });

test.each<[string, Error, string[]]>([
  ['a response that a caller can cause', new ApiError('unavailable', 'Too many builds'), ['RefusedRequests']],
  ['a refusal', new ApiError('rate_limited', 'Too many requests'), []],
  ['AWS that is unreachable', timeout, ['FailedRequests']],
  ['a change that AWS let half done', new ApiError('unavailable', 'Send it again', { cause: timeout }), []],
  ['a defect', new TypeError('x is undefined'), ['FailedRequests']],
])('counts %s apart from what the operator must know', (_, error, counted) => {
  process.env.METRICS_NAMESPACE = 'PromptToProject-prod';
  const handling = { error, event: { headers: {} } as unknown as ApiRequest };
  errorMapper('unavailable').onError?.(handling as never);
  const metrics = logLines.flatMap((line) => Object.keys(JSON.parse(line)).filter((name) => name.endsWith('Requests')));
  expect(metrics).toEqual(counted);
});
