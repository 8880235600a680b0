import { log, logAbout, loggedIds } from '../../../lambda/platform/log.ts';
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
