// A program that uses the client. package.test.ts compiles it in a folder where nothing but the client is.
import { ApiError, Client, type Deployed, type GenerationEvent, hashes, type Project } from '../../../client/client.ts';
import { readFolder } from '../../../client/folder.ts';

const client = new Client({
  baseUrl: 'https://ptp.example.com',
  key: 'ptp_',
  sleep: async (_ms, signal) => signal?.throwIfAborted(),
});

const generation = client.generate({ prompt: 'a', duration: '5min' }, { signal: AbortSignal.timeout(1) });
const id: string = await generation.id;
for await (const event of generation) {
  if (event.type === 'file') event.data.content.toUpperCase();
  if (event.type === 'attempt') event.data.outcome satisfies string | undefined;
  if (event.type === 'done') event.data.files.map(({ path }) => path);
  if (event.type === 'look') event.data.problems?.map(({ line = 0 }) => line.toFixed());
  event satisfies GenerationEvent;
}
const project: Project = await generation;
(await client.screenshot(project.id, { width: 390 })) satisfies Uint8Array;
const length: number = await client.generate({ prompt: 'a' }).then(({ files }) => files.length);

const deployed: Deployed = await client.deploy(
  { ...project, projectId: 'a' },
  { known: await hashes(project.files), ...(length > 1 ? { ifMatch: 'v' } : {}) },
);
await client.deploy({ files: [{ path: 'a', content: new Uint8Array() }] });
await client.deploy({ files: await readFolder('dist', (path) => !path.endsWith('.map')) });
const { versions } = await client.deployments.get(deployed.id, { token: deployed.token });
await client.deployments.rollback(deployed.id, { version: versions[0]?.version ?? '' });
await client.deployments.change(deployed.id, { access: 'password', password: 'correct horse' });
const { claimedAt = 0, link } = await client.deployments.claim(deployed.id, { token: deployed.token });
link?.expiresAt.toFixed(claimedAt);
(await client.deployments.archive(deployed.id)) satisfies Uint8Array;
(await client.deployments.screenshot(deployed.id, { width: 390 })) satisfies Uint8Array;
for await (const { url } of client.deployments.all()) url.startsWith('https:');
(await client.generations.list({ limit: 1 })).items[0]?.fileCount.toFixed();
const asset = await client.assets.upload(new Blob(['a']), { entityType: 'USER_AVATAR' });
asset.download_url satisfies string | undefined;
(await client.usage({ from: '2026-11-01' })).totals.calls.toFixed();

try {
  await client.generations.cancel(id);
} catch (error) {
  if (error instanceof ApiError && error.code === 'rate_limited') error.retryAfter?.toFixed();
}

// @ts-expect-error The prompt is missing.
client.generate({ duration: '5min' });
// @ts-expect-error Nobody looks at this width.
client.screenshot('', { width: 1024 });
// @ts-expect-error There is no such access.
client.deploy({ files: [], access: 'secret' });
// @ts-expect-error There is no such duration.
client.generate({ prompt: 'a', duration: '1min' });
// @ts-expect-error The code is none of the service's.
new ApiError('').code satisfies 'teapot';
// @ts-expect-error How the client sends requests is not public.
client.http;
