import type { GenerationEvent } from '../../../client/client.ts';
import { progressOf } from '../../../lambda/mcp/progress.ts';

const event = (type: string, data: object) => ({ id: 1, type, data }) as unknown as GenerationEvent;
const attempt = (number: number, more = {}) =>
  event('attempt', { attempt: number, model: 'provider-a/m', kind: 'write', startedAt: 1, ...more });
const writing = (...paths: string[]) =>
  event('writing', { files: paths.map((path) => ({ path, characters: 1, attempt: 1 })) });

it('describes attempts that run at the same time once', () => {
  const progress = progressOf();
  const events = [
    event('queued', { at: 1 }),
    attempt(1),
    writing('a'),
    event('plan', { files: [{}, {}, {}] }),
    attempt(2, { group: 2 }),
    attempt(2, { group: 2, outcome: 'cut_off' }),
    attempt(3, { group: 2 }),
    writing('a', 'b'),
    writing('a', 'b'),
    event('file', { path: 'a' }),
    writing('b'),
    writing(),
    attempt(4, { model: 'provider-b/m' }),
    event('look', { attempt: 4, state: 'skipped', reason: 'No browser' }),
    event('look', { attempt: 4, state: 'looking' }),
    event('look', {
      attempt: 4,
      state: 'looked',
      problems: [{ kind: 'blank', message: 'Nothing is shown' }],
    }),
  ];
  expect(events.flatMap((one) => progress(one) ?? [])).toEqual([
    'provider-a/m began',
    '1 file is being written; 0 complete',
    '3 files are planned',
    '2 files are being written; 0 of 3 complete',
    'a is complete',
    '1 file is being written; 1 of 3 complete',
    'provider-b/m began',
    'A browser is looking at it',
    'A browser looked at it and found 1 problem',
  ]);
});
