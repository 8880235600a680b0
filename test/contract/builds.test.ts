import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { DeployResponse } from '../../lambda/contract/deploy.ts';
import { newCaller, type TestResponse } from '../support/cloud/client.ts';
import { type Files, WORKING } from '../support/cloud/working-project.ts';
import { check, expectStatus } from '../support/stage/checks.ts';
import { onStage } from '../support/stage/on-stage.ts';
import { DEPLOY, type Session } from '../support/stage/session.ts';

/** A project in React, TSX and CSS, without a lock file. */
const SOURCE = {
  'index.html':
    '<!doctype html><html lang="en"><title>Smoke</title><div id="root"></div><script type="module" src="/src/main.tsx"></script></html>',
  'src/main.tsx': `import { createRoot } from 'react-dom/client';
import { App } from './App';

import './style.css';

createRoot(document.getElementById('root')!).render(<App />);
`,
  'src/App.tsx': `import { useState } from 'react';

export function App() {
  const [count, setCount] = useState<number>(0);
  return <button onClick={() => setCount(count + 1)}>smoke {count}</button>;
}

`,
  'src/style.css': 'button { color: teal; &:hover { color: red } }\n',
};

onStage({
  name: 'build',
  title: 'Source in React and TypeScript is built, and its page loads',
  means:
    'The API may not invoke the build function, whose instances serve a tenant each; its presigned URLs are refused; it cannot load ' +
    'the native packages for arm64; or it cannot reach the npm registry.',
  lookAt:
    'The log group *-BuildsBuildLogs*, and Lambda > Functions > *-BuildsBuild*: tenant isolation, and the concurrency of the account',
  run: async (session) => {
    const deployed = await deploySource(session, SOURCE);
    expectStatus(deployed, 201);
    const { id } = deployed.json<DeployResponse>();
    const token = deployed.headers['x-deployment-token']?.toString();
    const headers = token === undefined ? {} : { 'x-deployment-token': token };
    session.cleanUp(async () => {
      expectStatus(await session.api('DELETE', `/api/v1/deployments/${id}`, { headers }), 200, 410);
    });
    const path = new URL(`/d/${id}/`, session.options.baseUrl);
    // With a siteDomain, it is on its own origin.
    const { status, headers: sent } = await session.http.send(path);
    const url = status === 308 ? new URL(sent.location ?? '', path) : path;
    const page = await session.http.send(url);
    expectStatus(page, 200);
    const script = /<script[^>]* src="([^"]+)"/.exec(page.text)?.[1];
    check(script !== undefined, `${page.request} refers to no script`);
    expectStatus(await session.http.send(new URL(script, url)), 200);

    const broken = await deploySource(session, { ...SOURCE, 'src/App.tsx': 'export const App = () => <p>' });
    expectStatus(broken, 400);
    const { problems = [] } = broken.json<{ problems?: { path?: string }[] }>();
    check(problems[0]?.path === 'src/App.tsx', `${broken.request} does not say that src/App.tsx is wrong`);
  },
});

function deploySource(session: Session, source: Readonly<Record<string, string>>) {
  const files = Object.entries(source).map(([path, content]) => ({ path, content }));
  const body = JSON.stringify({ projectId: `smoke-${randomUUID()}`, files });
  return session.api('POST', DEPLOY, { body, headers: { 'content-type': 'application/json' } });
}

const sent = (files: Files) => Object.entries(files).map(([path, content]) => ({ path, content }));

const GZIP = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

function expectOk(response: TestResponse): TestResponse {
  expect([response.status < 300, response.text]).toEqual([true, response.text]);
  return response;
}

describe('POST /api/v1/builds', () => {
  it('returns the built files, and those of a preview with a source map', async () => {
    const { post } = newCaller();
    const files = sent(WORKING);
    const built = expectOk(await post('/api/v1/builds', { files })).json;
    expect(built).toMatchObject({ entry: 'index.html', packages: {}, warnings: [] });
    expect(built.files.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      expect.stringMatching(/^assets\/index-[0-9a-f]{16}\.js$/),
      'index.html',
    ]);
    const preview = expectOk(await post('/api/v1/builds', { files, preview: true })).text;
    expect(preview).toContain('sourceMappingURL=data:');
    expect(preview).toContain('const greet');
    expect(JSON.stringify(built)).not.toContain('sourceMappingURL');
  });

  it('refuses what deploy refuses, and files that need no build', async () => {
    const { post } = newCaller();
    const broken = await post('/api/v1/builds', { files: sent({ ...WORKING, 'src/greet.ts': 'const' }) });
    expect(broken).toMatchObject({ status: 400, json: { problems: [{ path: 'src/greet.ts', line: 1 }] } });
    const site = await post('/api/v1/builds', { files: sent({ 'index.html': 'a page' }) });
    expect(site).toMatchObject({ status: 400, json: { error: expect.stringContaining('nothing to build') } });
    const env = { SECRET: '1' };
    expect((await post('/api/v1/builds', { files: sent(WORKING), env })).status).toBe(400);
    const unknown = await post('/api/v1/builds', { generationId: 'Y2vPKGHjqoGFLVo9o7L1Z' });
    expect(unknown.status).toBe(404);
  });

  it('returns images as base64, and a 413 with advice if the files fit into no response', async () => {
    const { post } = newCaller();
    const image = (path: string) => ({
      path,
      content: randomBytes(1_000_000).toString('base64'),
      encoding: 'base64',
    });
    const build = (images: number) => {
      const files = [...sent(WORKING), ...Array.from({ length: images }, (_, i) => image(`public/${i}.png`))];
      const body = gzipSync(JSON.stringify({ files }));
      return post('/api/v1/builds', body, { ...GZIP, 'accept-encoding': 'gzip' });
    };
    const { files } = expectOk(await build(4)).json;
    expect(files.find(({ path }: { path: string }) => path === '0.png')).toMatchObject({
      encoding: 'base64',
    });
    const large = [
      ...[0, 1, 2, 3].map((i) => image(`public/${i}.png`)),
      ...sent({ 'public/a.txt': 'a'.repeat(1_000_000) }),
    ];
    const body = gzipSync(JSON.stringify({ files: [...sent(WORKING), ...large] }));
    const { status, json } = await post('/api/v1/builds', body, GZIP);
    expect([status, json.error]).toEqual([413, expect.stringContaining('Accept-Encoding: gzip')]);
  });
});
