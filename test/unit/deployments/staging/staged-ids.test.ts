import { newStagedId, stagedOwner } from '../../../../lambda/deployments/staging/staged-ids.ts';

const ANYONE = { owner: 'anonymous', token: undefined };
const KEY = { owner: 'key:a', token: undefined };
const OTHER = { owner: 'key:b', token: undefined };
const HOLDER = { owner: 'anonymous', token: 'ptd_1' };

it.each([
  ['a key', KEY, [OTHER, ANYONE, HOLDER, { ...KEY, token: 'ptd_1' }]],
  ['a deployment token', HOLDER, [ANYONE, KEY, { ...HOLDER, token: 'ptd_2' }, { ...KEY, token: 'ptd_1' }]],
])('binds a body that was sent with %s to that credential', (_, sender, others) => {
  const id = newStagedId(sender);
  expect(stagedOwner(id, sender)).toBe(sender.owner);
  for (const other of others) expect(stagedOwner(id, other)).toBeUndefined();
});

it('lets anyone who knows its id use a body that was sent without credentials, as an anonymous one', () => {
  const id = newStagedId(ANYONE);
  for (const sender of [ANYONE, KEY, HOLDER]) expect(stagedOwner(id, sender)).toBe('anonymous');
});

it.each(['', 'x', '../../sites', newStagedId(KEY).slice(1), `${newStagedId(KEY)}/x`])(
  'rejects the id %j',
  (id) => expect(stagedOwner(id, KEY)).toBeUndefined(),
);
