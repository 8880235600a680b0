import { visibleGeneration } from '../../../lambda/stored/generations.ts';

const ID = 'V1StGXR8_Z5jdHi6B-myT';
const KEY = { id: 'key:alice' };

function visible(owner: string | undefined, caller: { readonly id: string } | undefined, id = ID) {
  const generation = owner === undefined ? {} : { owner };
  return visibleGeneration(id, caller, async (read) => (read === ID ? generation : undefined));
}

it('shows a generation to its owner only, and an anonymous one to whoever knows its id', async () => {
  expect(await visible(KEY.id, KEY)).toEqual({ owner: KEY.id });
  expect(await visible(KEY.id, { id: 'key:bob' })).toBeUndefined();
  expect(await visible(KEY.id, undefined)).toBeUndefined();
  expect(await visible(undefined, KEY)).toEqual({});
  expect(await visible(undefined, undefined)).toEqual({});
});

it('shows none that does not exist, and reads none whose id cannot be one', async () => {
  expect(await visible(undefined, KEY, ID.toLowerCase())).toBeUndefined();
  const read = async (): Promise<undefined> => {
    throw new Error('It was read');
  };
  expect(await visibleGeneration('../deployments/x', KEY, read)).toBeUndefined();
});
