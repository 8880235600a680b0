import { judgeOf } from '../../../../cli/ptp/program.ts';
import { ApiError } from '../../../../client/client.ts';
import { testRows } from '../../../support/rows.ts';

const judge = judgeOf(new AbortController().signal);

testRows([
  [0, 5, 'Start the service, or name another one with --url'],
  [400, 1, undefined],
  [401, 3, 'Log in again with "ptp login"'],
  [403, 3, undefined],
  [404, 1, undefined],
  [429, 4, undefined],
  [500, 5, undefined],
  [503, 5, undefined],
])('gives a response its exit code and advice', (status, code, advice) => {
  const error = new ApiError('x', status, {});
  expect([judge.exitCode(error), judge.advice(error)]).toEqual([code, advice]);
});

testRows([new Error('x'), 'x', undefined])('gives any other error the exit code 1', (error) => {
  expect([judge.exitCode(error), judge.advice(error)]).toEqual([1, undefined]);
});

it('gives every error after Ctrl-C the exit code 130', () => {
  expect(judgeOf(AbortSignal.abort()).exitCode(new Error('aborted'))).toBe(130);
});
