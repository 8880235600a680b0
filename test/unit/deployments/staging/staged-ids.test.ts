import { newStagedId, stagedOwner } from '../../../../lambda/deployments/staging/staged-bodies.ts';
import { testRows } from '../../../support/rows.ts';

const ANYONE = { owner: 'anonymous', token: undefined };
const KEY = { owner: 'key:a', token: undefined };
const OTHER = { owner: 'key:b', token: undefined };
const HOLDER = { owner: 'anonymous', token: 'ptd_1' };

testRows([
  ['a key', KEY, [OTHER, ANYONE, HOLDER, { ...KEY, token: 'ptd_1' }]],
  ['a deployment token', HOLDER, [ANYONE, KEY, { ...HOLDER, token: 'ptd_2' }, { ...KEY, token: 'ptd_1' }]],
])('binds a body to the credential that sent it', (_, sender, others) => {
  const id = newStagedId(sender);
  expect(stagedOwner(id, sender)).toBe(sender.owner);
  for (const other of others) expect(stagedOwner(id, other)).toBeUndefined();
});

it('lets anyone who knows its id use a body that was sent without credentials, as an anonymous one', () => {
  const id = newStagedId(ANYONE);
  for (const sender of [ANYONE, KEY, HOLDER]) expect(stagedOwner(id, sender)).toBe('anonymous');
});

testRows(['', 'x', '../../sites', newStagedId(KEY).slice(1), `${newStagedId(KEY)}/x`])(
  'rejects a malformed id',
  (id) => expect(stagedOwner(id, KEY)).toBeUndefined(),
);
