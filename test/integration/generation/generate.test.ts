import { newCaller } from '../../support/cloud/client.ts';

const FIELDS = ['duration', 'fileCount', 'files', 'model', 'prompt', 'tokensUsed'];

describe('POST /api/v1/generate', () => {
  it('returns a project with exactly the fields of the contract', async () => {
    const prompt = 'a pomodoro timer with a dark theme';
    const { status, headers, json } = await newCaller().post('/api/v1/generate', { prompt });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(Object.keys(json).toSorted()).toEqual(FIELDS);
    expect(json).toMatchObject({ model: 'provider-a/blueprint', prompt, fileCount: json.files.length });
    expect(json.files.length).toBeGreaterThan(2);
    for (const file of json.files) {
      expect(Object.keys(file).toSorted()).toEqual(['content', 'language', 'path']);
    }
    const paths = json.files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['index.html', 'README.md']));
    const characters = json.files.reduce(
      (sum: number, { content }: { content: string }) => sum + [...content].length,
      prompt.length,
    );
    expect(json.tokensUsed).toBe(Math.ceil(characters / 4));
    expect(json.duration).toBeGreaterThan(0);
  });

  it('preserves every character and returns 200 of the prompt', async () => {
    const prompt = `a landing page called "Zażółć 🍅 Gęślą" ${'🍅'.repeat(300)}`;
    const { json, text } = await newCaller().post('/api/v1/generate', { prompt });
    expect([...json.prompt].length).toBe(200);
    expect(text).not.toContain('\ufffd');
    expect(text).toContain('Zażółć 🍅 Gęślą');
  });

  it('calls the requested provider first and names the one that succeeded', async () => {
    const caller = newCaller();
    const [late, failed] = await Promise.all(
      ['provider-d', 'provider-c'].map((model) =>
        caller.post('/api/v1/generate', { prompt: 'a quiz', model }),
      ),
    );
    expect(late?.json.model).toBe('provider-d/scripted');
    expect(late?.json.duration).toBeGreaterThanOrEqual(400);
    expect(failed?.json.model).toBe('provider-a/blueprint');

    const generation = await caller.send(`/api/v1/generations/${failed?.headers['x-generation-id']}`);
    expect(generation.status).toBe(200);
    expect(generation.json).toMatchObject({
      status: 'succeeded',
      model: 'provider-c',
      attempts: [
        { provider: 'provider-c', outcome: 'failed', reason: expect.any(String) },
        { provider: 'provider-a', outcome: 'succeeded' },
      ],
    });
  });

  it('returns the result again by its id', async () => {
    const caller = newCaller();
    const first = await caller.post('/api/v1/generate', { prompt: 'a calculator' });
    const again = await caller.send(`/api/v1/generations/${first.headers['x-generation-id']}/result`);
    expect(again.status).toBe(200);
    expect(again.json).toEqual(first.json);
    for (const path of ['/api/v1/generations/unknown', '/api/v1/generations/unknown/result']) {
      expect(await caller.send(path)).toMatchObject({
        status: 404,
        json: { error: expect.stringContaining('no such generation') },
      });
    }
  });
});
