import { asArgument, newId } from '../../../lambda/platform/new-id.ts';

it('returns ids that no command line takes for an option', () => {
  const ids = Array.from({ length: 1_000 }, () => newId());
  expect(ids.filter((id) => !/^\w[\w-]{20}$/.test(id))).toEqual([]);
  expect(newId(12)).toMatch(/^\w[\w-]{11}$/);
  expect(asArgument('-a-b')).toBe('_a-b');
});
