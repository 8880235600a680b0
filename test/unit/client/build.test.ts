import { json, startService } from './scripted-service.ts';

const SOURCE = [{ path: 'index.html', content: Buffer.from('<script src=a.ts>') }];

describe('a build', () => {
  it('sends the files and the variables, and returns the built files', async () => {
    const built = { files: [], entry: 'index.html', packages: {}, warnings: [], bytes: 0 };
    const { client, received } = await startService([json(200, built)]);
    const env = { VITE_A: '1' };
    expect(await client.build({ files: SOURCE, env, preview: true })).toEqual(built);
    const files = [{ path: 'index.html', content: '<script src=a.ts>' }];
    expect(received[0]).toMatchObject({ method: 'POST', path: '/api/v1/builds' });
    expect(received[0]?.json).toEqual({ files, env, preview: true });
    await client.deploy({ files: SOURCE, env, build: false });
    expect(received[1]?.json).toEqual({ files, env, build: false });
  });

  it('fails once, with the problems of the source', async () => {
    const problems = [{ message: 'Unexpected token', path: 'a.ts', line: 1, column: 2 }];
    const { client, received } = await startService([json(400, { error: 'a.ts:1:2: …', problems })]);
    const failure = { status: 400, code: 'build_failed', problems };
    await expect(client.build({ files: SOURCE })).rejects.toMatchObject(failure);
    await expect(client.deploy({ files: SOURCE })).rejects.toMatchObject(failure);
    expect(received).toHaveLength(2);
  });

  it('has no problems if something else is wrong', async () => {
    const { client } = await startService([json(400, { error: 'files is empty' })]);
    const failure = { code: 'invalid_request', problems: [] };
    await expect(client.build({ files: [] })).rejects.toMatchObject(failure);
  });
});
