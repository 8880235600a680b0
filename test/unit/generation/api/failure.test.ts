import type { AttemptOutcome } from '../../../../lambda/contract/responses/generate.ts';
import { failureOf } from '../../../../lambda/generation/api/resource.ts';
import type { Attempt, Generation } from '../../../../lambda/generation/generation.ts';

function failure(...outcomes: AttemptOutcome[]) {
  const attempt = (outcome: AttemptOutcome, i: number): Attempt => ({
    attempt: i + 1,
    provider: 'provider-a',
    model: 'provider-a/m',
    kind: 'write',
    startedAt: 1,
    outcome,
    reason: `It ${outcome}`,
  });
  const log = outcomes.map((outcome, i) => ({ type: 'attempt', ...attempt(outcome, i) }));
  return failureOf({ status: 'failed', log } as unknown as Generation, 0);
}

it('asks to retry after failures that may pass', () => {
  for (const error of [failure('refused', 'failed'), failure()]) {
    expect(error.message).toMatch(/; retry after a few seconds$/);
    expect(error.headers).toEqual({ 'Retry-After': '5' });
  }
});

it('does not ask to retry what every provider refused', () => {
  expect(failure('refused')).toMatchObject({
    status: 503,
    headers: {},
    message: 'All generation providers failed (provider-a: It refused)',
  });
});
