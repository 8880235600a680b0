import { newCaller, type TestResponse } from '../cloud/client.ts';
import { newKey } from '../cloud/keys.ts';
import { badTokens, newToken } from '../cloud/tokens.ts';
import type { World } from './headers.ts';

const KEYS = 4;

/** Creates resources of several owners in the suite's cloud, and credentials of all kinds. */
export async function hostileWorld(): Promise<World> {
  const keys = await Promise.all(
    Array.from({ length: KEYS }, (_, i) =>
      // Some have a limit that no run reaches, so that it does not hide what follows.
      newKey(...(i < KEYS / 2 ? ['--limit', '1000000'] : [])),
    ),
  );
  const tokens = [await newToken()];
  const [key = '', other = ''] = keys;
  const owners = [{}, { 'x-api-key': key }, { 'x-api-key': other }, { authorization: `Bearer ${tokens[0]}` }];
  const made = await Promise.all(owners.map(resources));
  const ids = (name: 'generation' | 'deployment' | 'asset') => made.flatMap((one) => one[name] ?? []);
  return {
    ids: {
      generations: ids('generation'),
      deployments: ids('deployment'),
      'user-assets': ids('asset'),
      staged: ['x', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', ...ids('deployment')],
    },
    keys,
    tokens,
    badCredentials: [
      ...Object.values(await badTokens()),
      'ptp_',
      `${key}x`,
      key.slice(0, -1),
      key.toUpperCase(),
      `ptp_${'a'.repeat(3_000)}`,
      '..',
      'e30.e30.e30',
    ],
    deploymentTokens: made.flatMap(({ token }) => token ?? []),
  };
}

/** Creates a generation, a deployment and, with a credential, an asset. */
async function resources(headers: Readonly<Record<string, string>>) {
  const caller = newCaller();
  const post = async (path: string, body: unknown): Promise<TestResponse> => {
    const response = await caller.post(path, body, headers);
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response;
  };
  const generated = await post('/api/v1/generate', { prompt: 'a timer' });
  const deployed = await post('/api/v1/deploy', {
    files: [{ path: 'index.html', content: '<h1>Hello</h1>' }],
  });
  const attributes = { name: 'a.png', type: 'image/png', size: 10 };
  const isAnonymous = Object.keys(headers).length === 0;
  const created = isAnonymous ? undefined : await post('/api/v1/assets/user-assets/', { attributes });
  return {
    generation: generated.headers['x-generation-id'] as string,
    deployment: deployed.headers.location?.split('/').at(-1),
    token: deployed.headers['x-deployment-token'] as string | undefined,
    asset: created?.json.asset_id as string | undefined,
  };
}
