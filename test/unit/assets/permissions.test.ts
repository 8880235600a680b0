import { OBJECT_ACTIONS, PNG, startWorld, upload } from './world.ts';

/** Returns whether every operation on an asset succeeds if the function's role has these actions. */
async function works(actions: string[]): Promise<boolean> {
  const world = await startWorld(actions);
  try {
    const created = await world.create({ type: 'image/png', size: PNG.length });
    if ((await upload(created)) !== 200) return false;
    if ((await world.patch(created.asset_id)).status !== 204) return false;
    const { download_url = '' } = (await world.show(created.asset_id)).body;
    if (!(await fetch(download_url)).ok) return false;
    return (await world.remove(created.asset_id)).status === 204;
  } catch {
    return false;
  } finally {
    await world.close();
  }
}

describe('the role of the function', () => {
  // The local S3 logs actions that a role lacks.
  beforeEach(() => void jest.spyOn(console, 'log').mockImplementation(() => {}));

  it('has the actions it needs', async () => expect(await works(OBJECT_ACTIONS)).toBe(true));

  it.each(OBJECT_ACTIONS)('needs %s', async (action) => {
    expect(await works(OBJECT_ACTIONS.filter((other) => other !== action))).toBe(false);
  });
});
