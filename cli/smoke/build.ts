import { randomUUID } from 'node:crypto';
import type { DeployResponse } from '../../lambda/contract/deploy.ts';
import { check, expectStatus } from './checks.ts';
import { DEPLOY, type Session } from './session.ts';
import type { Step } from './step.ts';

/** The time limit of a build, with the start of its function and many packages. */
const SECONDS = 60;

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

const build: Step = {
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
};

function deploySource(session: Session, source: Readonly<Record<string, string>>) {
  const files = Object.entries(source).map(([path, content]) => ({ path, content }));
  const body = JSON.stringify({ projectId: `smoke-${randomUUID()}`, files });
  return session.api('POST', DEPLOY, {
    body,
    headers: { 'content-type': 'application/json' },
    seconds: SECONDS,
  });
}

export const BUILD_STEPS = [build];
