import type * as z from 'zod';
import type { OperationName } from '../../lambda/contract/operations.ts';
import { RESPONSES } from '../../lambda/contract/responses/operations.ts';
import { newCaller, type TestResponse } from '../support/cloud/client.ts';
import { newKey } from '../support/cloud/keys.ts';

/** Fails on fields that are missing or not in the reference. */
function check(name: OperationName, status: number, answer: TestResponse): TestResponse {
  expect([name, answer.status]).toEqual([name, status]);
  const schema: z.ZodType | undefined = RESPONSES[name].body;
  if (schema) schema.parse(answer.json);
  else expect(answer.text).toBe('');
  return answer;
}

describe('responses have exactly the fields of the reference:', () => {
  const { post, send } = newCaller();

  it('generations', async () => {
    const made = check('generate', 200, await post('/api/v1/generate', { prompt: 'a quiz' }));
    const id = String(made.headers['x-generation-id']);
    check('getGeneration', 200, await send(`/api/v1/generations/${id}`));
    check('getGenerationResult', 200, await send(`/api/v1/generations/${id}/result`));
    // A provider that does not answer, so that the generation is running when it is canceled.
    const hanging = { prompt: 'a quiz', model: 'provider-b' };
    const begun = await post('/api/v1/generate', hanging, { prefer: 'respond-async' });
    check('getGeneration', 202, begun);
    check('cancelGeneration', 200, await send(`/api/v1/generations/${begun.json.id}`, { method: 'DELETE' }));
  });

  it('deployments', async () => {
    const { json, headers } = check(
      'deploy',
      201,
      await post('/api/v1/deploy', { files: [{ path: 'notes.txt', content: 'no entry' }] }),
    );
    expect(json).toMatchObject({ entry: '', title: null });
    const path = `/api/v1/deployments/${json.id}`;
    const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
    const [{ version }] = check('getDeployment', 200, await send(path, { headers: token })).json.versions;
    check('getDeploymentViews', 200, await send(`${path}/views`, { headers: token }));
    check('rollbackDeployment', 200, await post(`${path}/rollback`, { version }, token));
    check('deleteDeployment', 200, await send(path, { method: 'DELETE', headers: token }));
  });

  it('assets, lists, domains and usage', async () => {
    const key = { 'x-api-key': await newKey() };
    const body = { attributes: { name: 'a.png', type: 'image/png', size: 5 }, entity_type: 'USER_AVATAR' };
    const { json } = check('createAsset', 201, await post('/api/v1/assets/user-assets/', body, key));
    const path = `/api/v1/assets/user-assets/${json.asset_id}/`;
    check('getAsset', 200, await send(path, { headers: key }));
    await fetch(json.upload_url, { method: 'PUT', headers: json.upload_headers, body: 'bytes' });
    check('updateAsset', 204, await send(path, { method: 'PATCH', headers: key, body: {} }));
    check('getAsset', 200, await send(path, { headers: key }));
    await post('/api/v1/deploy', { files: [{ path: 'notes.txt', content: 'no entry' }] }, key);
    await post('/api/v1/generate', { prompt: 'a quiz' }, key);
    for (const [name, list] of [
      ['listGenerations', '/api/v1/generations'],
      ['listDeployments', '/api/v1/deployments'],
      ['listAssets', '/api/v1/assets/user-assets/'],
    ] as const) {
      const read = async () => check(name, 200, await send(list, { headers: key })).json.items.length;
      while ((await read()) === 0);
    }
    const { id } = (await send('/api/v1/deployments', { headers: key })).json.items[0];
    const domain = `/api/v1/deployments/${id}/domains/responses.localhost`;
    check('putDomain', 200, await send(domain, { method: 'PUT', headers: key }));
    check('getDeployment', 200, await send(`/api/v1/deployments/${id}`, { headers: key }));
    check('deleteDomain', 200, await send(domain, { method: 'DELETE', headers: key }));
    check('deleteAsset', 204, await send(path, { method: 'DELETE', headers: key }));
    check('listProviders', 200, await send('/api/v1/providers'));
    check('getUsage', 200, await send('/api/v1/usage', { headers: key }));
  });
});
