import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { openEvents, until } from '../../support/cloud/events.ts';
import { newKey } from '../../support/cloud/keys.ts';

const GENERATE = '/api/v1/generate';
/** Its project has characters of more than one byte. */
const PROJECT = { prompt: 'a quiz about “Käse”', model: 'provider-a' };

type Headers = Record<string, string>;
const credential = async (): Promise<Headers> => ({ authorization: `Bearer ${await newKey()}` });

/** Returns the caller's usage by operation. */
async function operationsOf(headers: Headers, baseUrl = cloud().baseUrl) {
  const { json } = await newCaller(baseUrl).send('/api/v1/usage', { headers });
  return Object.assign({}, ...json.days.map(({ operations }: { operations: object }) => operations));
}

/** The ways to generate. Each resolves with the id of an ended generation. */
const WAYS: Readonly<Record<string, (headers: Headers) => Promise<string>>> = {
  'a waiting request': async (headers) => {
    const answer = await newCaller().post(GENERATE, PROJECT, headers);
    return String(answer.headers['x-generation-id']);
  },
  'server-sent events': async (headers) => {
    const source = await openEvents(new URL(GENERATE, cloud().baseUrl), {
      method: 'POST',
      headers,
      body: PROJECT,
      localAddress: newCaller().address,
    });
    await source.ended;
    return String(source.headers['x-generation-id']);
  },
  'Prefer: respond-async': async (headers) => {
    const { json } = await newCaller().post(GENERATE, PROJECT, { ...headers, prefer: 'respond-async' });
    const status = async () =>
      (await newCaller().send(`/api/v1/generations/${json.id}`, { headers })).json.status;
    await until(async () => (await status()) === 'succeeded');
    return json.id;
  },
};

it.each(Object.entries(WAYS))('%s is recorded once, and reads record nothing', async (_, generate) => {
  const [headers, stranger] = [await credential(), await credential()];
  const id = await generate(headers);
  const read = (by: Headers) => newCaller().send(`/api/v1/generations/${id}/result`, { headers: by });
  const [{ json: project }, , refused] = [await read(headers), await read(headers), await read(stranger)];
  expect(refused.status).toBe(404);
  const bytes = project.files.reduce(
    (sum: number, { content }: { content: string }) => sum + Buffer.byteLength(content),
    0,
  );
  const all = async () => ({ own: await operationsOf(headers), other: await operationsOf(stranger) });
  await until(async () => {
    const { own, other } = await all();
    return own.generate?.tokens > 0 && own.getGenerationResult?.calls === 2 && other.getGenerationResult;
  });
  const { own, other } = await all();
  expect(own.generate).toMatchObject({
    calls: 1,
    tokens: project.tokensUsed,
    files: project.fileCount,
    bytes,
  });
  const nothing = { tokens: 0, files: 0, bytes: 0 };
  expect(own.getGenerationResult).toMatchObject({ calls: 2, ...nothing });
  expect(other.getGenerationResult).toMatchObject({ calls: 1, ...nothing });
  expect(other).not.toHaveProperty('generate');
});

it('a canceled generation records its usage', async () => {
  const headers = await credential();
  const started = await newCaller().post(
    GENERATE,
    { prompt: 'a page', model: 'provider-b' },
    { ...headers, prefer: 'respond-async' },
  );
  await newCaller().send(`/api/v1/generations/${started.json.id}`, { method: 'DELETE', headers });
  await until(async () => {
    const { generate, cancelGeneration } = await operationsOf(headers);
    return generate?.tokens > 0 && cancelGeneration !== undefined;
  });
  const { generate, cancelGeneration } = await operationsOf(headers);
  expect(generate).toMatchObject({ tokens: Math.ceil('a page'.length / 4) });
  expect(cancelGeneration).toMatchObject({ calls: 1, tokens: 0 });
});
