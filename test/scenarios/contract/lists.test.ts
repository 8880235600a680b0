import { newCaller, type TestResponse } from '../../support/cloud/client.ts';
import { until } from '../../support/cloud/events.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { newToken } from '../../support/cloud/tokens.ts';

type Headers = Record<string, string>;

const GENERATIONS = '/api/v1/generations';
const DEPLOYMENTS = '/api/v1/deployments';
const ASSETS = '/api/v1/assets/user-assets/';
const LISTS = [GENERATIONS, DEPLOYMENTS, ASSETS] as const;
type List = (typeof LISTS)[number];

const owner = async (): Promise<Headers> => ({ 'x-api-key': await newKey('--limit', '1000') });
const idOf = (item: { id?: string; asset_id?: string }) => String(item.id ?? item.asset_id);
const ids = ({ json }: TestResponse): string[] => json.items.map(idOf);

/** Creates a resource of a list and returns its id. */
async function create(list: List, headers: Headers, text = 'text'): Promise<string> {
  const { post } = newCaller();
  const files = [{ path: 'index.html', content: `<title>${text}</title>` }];
  const generation = { prompt: text, model: 'provider-d' };
  const answers = {
    [GENERATIONS]: () => post('/api/v1/generate', generation, { ...headers, prefer: 'respond-async' }),
    [DEPLOYMENTS]: () => post('/api/v1/deploy', { files, projectId: text }, headers),
    [ASSETS]: () => post(ASSETS, { attributes: { name: text, size: 9 } }, headers),
  };
  return idOf((await answers[list]()).json);
}

describe.each(LISTS)('GET %s', (list) => {
  it('returns the caller’s resources, newest first, as they are now, and nobody else’s', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    const created = [await create(list, mine, 'one'), await create(list, mine, 'two')];
    const other = await create(list, theirs);
    if (list !== ASSETS) await create(list, {}, `anonymous-${Date.now()}`);
    const { send } = newCaller();
    const listed = (headers: Headers) => send(list, { headers });
    await until(async () => ids(await listed(mine)).length === 2);
    await until(async () => ids(await listed(theirs)).length === 1);
    const answer = await listed(mine);
    expect(answer.json).toEqual({ items: expect.any(Array), nextCursor: null });
    expect(answer.headers.link).toBeUndefined();
    expect(ids(answer)).toEqual(created.toReversed());
    expect(ids(await listed(theirs))).toEqual([other]);
    // Keys of one owner have the same list; a new owner has none.
    expect((await listed(await owner())).json).toEqual({ items: [], nextCursor: null });
    for (const item of answer.json.items) {
      const prefix = list.replace(/\/?$/, '/');
      const whole = (await send(`${prefix}${idOf(item)}${list === ASSETS ? '/' : ''}`, { headers: mine })).json;
      const { fileCount: _, ...fields } = item;
      // A generation may have gone on in the meantime.
      const stable = ({ status: _, finishedAt: __, matched: ___, ...rest }: Record<string, unknown>) => rest;
      if (list === GENERATIONS) expect(whole).toMatchObject(stable(fields));
      else expect(whole).toMatchObject(item);
      const long = ['versions', 'attempts', 'plan', 'files', 'problems', 'download_url'];
      expect(Object.keys(item).filter((name) => long.includes(name))).toEqual([]);
    }
  });
});

it('a redeploy is shown at once in its old place, and a deletion removes a deployment at once', async () => {
  const mine = await owner();
  const first = await create(DEPLOYMENTS, mine, 'first');
  const second = await create(DEPLOYMENTS, mine, 'second');
  const { send, post } = newCaller();
  const listed = () => send(DEPLOYMENTS, { headers: mine });
  await until(async () => ids(await listed()).length === 2);
  const files = [{ path: 'index.html', content: '<title>Changed</title>' }];
  const { headers } = await post('/api/v1/deploy', { files, projectId: 'first' }, mine);
  expect((await listed()).json.items).toMatchObject([
    { id: second, title: 'second' },
    { id: first, title: 'Changed', version: JSON.parse(String(headers.etag)), owner: 'key', status: 'live' },
  ]);
  await send(`${DEPLOYMENTS}/${second}`, { method: 'DELETE', headers: mine });
  expect(ids(await listed())).toEqual([first]);
  expect(await create(DEPLOYMENTS, mine, 'second')).toBe(second);
  await until(async () => ids(await listed()).length === 2);
});

it('a token has lists of its own', async () => {
  const token = { authorization: `Bearer ${await newToken()}` };
  for (const list of LISTS) {
    const id = await create(list, token, `token-${Date.now()}`);
    const answers: TestResponse[] = [];
    await until(async () => {
      answers.unshift(await newCaller().send(list, { headers: token }));
      return ids(answers[0] as TestResponse).includes(id);
    });
    const owners = answers[0]?.json.items.map((item: { owner?: string }) => item.owner);
    expect(new Set(owners)).toEqual(new Set([list === DEPLOYMENTS ? 'token' : undefined]));
  }
});
