import { setTimeout } from 'node:timers/promises';
import type { ExampleRequest, Recorder } from './recorder.ts';

const PICTURE = 'page.png';
const PROMPT = 'a landing page for a bakery';
const KEY = { 'X-API-Key': '$KEY' };
const TOKEN = { 'X-Deployment-Token': '$TOKEN' };
const ASSETS = '/api/v1/assets/user-assets/';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

const DAY_MS = 86_400_000;
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

const page = (text: string) => [{ path: 'index.html', content: `<title>My page</title>${text}` }];
const deploy = (text: string): ExampleRequest => ({
  method: 'POST',
  path: '/api/v1/deploy',
  follow: true,
  body: { projectId: '$PROJECT', files: page(text) },
});

/**
 * @param slowProvider the provider whose attempt is canceled
 * @param picture stores a picture of a generation after its first attempt
 */
export async function recordGenerations(
  recorder: Recorder,
  slowProvider: string,
  picture: (id: string) => Promise<void>,
): Promise<void> {
  const body = { prompt: PROMPT };
  const { headers } = await recorder.record('generate', { method: 'POST', path: '/api/v1/generate', body });
  const id = headers.get('X-Generation-Id') ?? '';
  recorder.alias(id, 'Y2vPKGHjqoGFLVo9o7L1Z');
  const path = `/api/v1/generations/${id}`;
  await recorder.record('getGeneration', { method: 'GET', path });
  await recorder.record('getGenerationResult', { method: 'GET', path: `${path}/result`, follow: true });
  await picture(id);
  const screenshot = `${path}/screenshot?width=390&attempt=1`;
  await recorder.record('getGenerationScreenshot', { method: 'GET', path: screenshot, saveAs: PICTURE });

  const started = await recorder.send({
    method: 'POST',
    path: '/api/v1/generate',
    headers: { Prefer: 'respond-async' },
    body: { prompt: 'a quiz', model: slowProvider },
  });
  recorder.alias(started.body.id, 'T0lmdMn4l5Bzdy0DzYDPd');
  const running: ExampleRequest = { method: 'GET', path: `/api/v1/generations/${started.body.id}` };
  while ((await recorder.send(running)).body.attempts.length === 0) await setTimeout(50);
  await recorder.record('cancelGeneration', { ...running, method: 'DELETE' });
}

/** @param addPicture stores a picture of a version of a deployment */
export async function recordDeployments(
  recorder: Recorder,
  addPicture: (deployment: string, version: string) => Promise<void>,
): Promise<void> {
  const first = await recorder.record('deploy', deploy('Hello'));
  recorder.define('$TOKEN', first.headers.get('X-Deployment-Token') ?? '');
  await recorder.send({ ...deploy('Hello again'), headers: TOKEN });
  const path = `/api/v1/deployments/${first.body.id}`;
  const { body } = await recorder.record('getDeployment', { method: 'GET', path, headers: TOKEN });
  const [newer, older] = body.versions;
  const rollback = { method: 'POST', path: `${path}/rollback`, headers: TOKEN };
  await recorder.record('rollbackDeployment', { ...rollback, body: { version: older.version } });
  const settings = { method: 'PATCH', path, headers: TOKEN, body: { expiresInSeconds: 604_800 } };
  await recorder.record('changeDeployment', settings);
  const unlock = { method: 'POST', path: `${path}/unlock`, body: { password: 'correct horse', to: '/' } };
  await recorder.record('unlockDeployment', unlock);
  const download = { method: 'GET', headers: TOKEN };
  const archive = { ...download, path: `${path}/archive`, saveAs: 'site.zip' };
  await recorder.record('getDeploymentArchive', archive);
  await addPicture(first.body.id, older.version);
  const screenshot = { ...download, path: `${path}/screenshot?width=390`, saveAs: PICTURE };
  await recorder.record('getDeploymentScreenshot', screenshot);
  await recordViews(recorder, first.body.id);
  await recorder.record('deleteDeployment', { method: 'DELETE', path, headers: TOKEN });
  recorder.alias(first.body.id, 'cjwgplc87z4r');
  recorder.alias(older.version, 'O15UN4ci2CBf');
  recorder.alias(newer.version, 'IptfX9Pv6Wk3');
  recorder.alias(newer.deployedAt, 1_795_276_810_000);
}

/** The visits are those of a browser. */
async function recordViews(recorder: Recorder, id: string): Promise<void> {
  const headers = { Accept: 'text/html', 'User-Agent': BROWSER, Referer: 'https://news.example/item?id=1' };
  await recorder.visit(`/d/${id}/`, headers);
  const path = `/api/v1/deployments/${id}/views?from=${day(20)}`;
  await recorder.record('getDeploymentViews', { method: 'GET', path, headers: TOKEN });
}

/** The caller of the claim has a key. */
export async function recordClaim(recorder: Recorder): Promise<void> {
  const deployed = await recorder.send({
    method: 'POST',
    path: '/api/v1/deploy',
    body: { files: page('Mine') },
  });
  recorder.define('$TOKEN', deployed.headers.get('X-Deployment-Token') ?? '');
  const { id } = deployed.body;
  await recorder.record('claimDeployment', {
    method: 'POST',
    path: `/api/v1/deployments/${id}/claim`,
    headers: { ...TOKEN, ...KEY },
  });
  recorder.alias(id, 'b2v6yq0xk8wn');
  recorder.alias((deployed.headers.get('ETag') ?? '').replaceAll('"', ''), 'Zr8kQeVw31Lt');
}

/** The service must have custom domains. The caller has a key. */
export async function recordDomains(recorder: Recorder): Promise<void> {
  const body = { files: page('On my domain') };
  const deployed = await recorder.send({ method: 'POST', path: '/api/v1/deploy', headers: KEY, body });
  const { id } = deployed.body;
  const domain = { path: `/api/v1/deployments/${id}/domains/www.example.com`, headers: KEY };
  const added = await recorder.record('putDomain', { ...domain, method: 'PUT' });
  const [proof, route] = added.body.records;
  await recorder.record('deleteDomain', { ...domain, method: 'DELETE' });
  recorder.alias(id, 'm4t1zq9xw2hs');
  recorder.alias(added.body.url, 'https://www.example.com/');
  recorder.alias(proof.value, 'ptp-domain=NZ0cWVhqY1oCk7gUuT2mXr5bJd9eLs3f');
  recorder.alias(route.value, 'd111111abcdef8.cloudfront.net');
}

const QUESTIONS = {
  questions: {
    create: 'visitor',
    read: 'visitor',
    review: true,
    schema: {
      type: 'object',
      required: ['question'],
      properties: { question: { type: 'string', maxLength: 600 } },
    },
  },
};

/**
 * The service must have custom domains. The caller has a key.
 * @param write adds an item to the data of a site as a visitor does
 */
export async function recordData(
  recorder: Recorder,
  write: (deployment: string, collection: string, fields: object) => Promise<void>,
): Promise<void> {
  const files = [...page('Questions'), { path: '_data.json', content: JSON.stringify(QUESTIONS) }];
  const sent = { method: 'POST', path: '/api/v1/deploy', headers: KEY, body: { files } };
  const { id } = (await recorder.send(sent)).body;
  recorder.alias(id, 'k8s3vw0zq1nd');
  await write(id, 'questions', { question: 'Is there parking?' });
  await write(id, 'questions', { question: 'When does it begin?' });
  const deployment = `/api/v1/deployments/${id}`;
  const path = `${deployment}/data`;
  const read = { method: 'GET', headers: KEY };
  await recorder.record('getDeploymentData', { ...read, path });
  const { body } = await recorder.record('listDataItems', { ...read, path: `${path}/questions?limit=1` });
  const [{ id: item, createdAt }] = body.items;
  recorder.alias(item, '0mh3k8xq1-Zt9Pb4Ke');
  recorder.alias(createdAt, '2026-11-21T16:39:10.000Z');
  const [, { id: earlier, createdAt: before }] = (await recorder.send({ ...read, path: `${path}/questions` })).body
    .items;
  recorder.alias(earlier, '0mh3k8w2v-Qx7Lr2Vd');
  recorder.alias(before, '2026-11-21T16:38:10.000Z');
  const headers = { ...KEY, Accept: 'text/csv' };
  await recorder.record('listDataItems', { ...read, headers, path: `${path}/questions` });
  const one = { path: `${path}/questions/${item}`, headers: KEY };
  await recorder.record('getDataItem', { ...one, method: 'GET' });
  const approve = { ...one, method: 'POST', path: `${one.path}/approve` };
  const approved = await recorder.record('approveDataItem', approve);
  recorder.alias(approved.body.updatedAt, '2026-11-21T16:40:10.000Z');
  await recorder.record('deleteDataItem', { ...one, method: 'DELETE' });
  await recorder.record('clearCollection', { ...one, method: 'DELETE', path: `${path}/questions` });

  const domain = 'questions.localhost';
  await recorder.send({ method: 'PUT', path: `${deployment}/domains/${domain}`, headers: KEY });
  const isServed = async () => {
    const { domains } = (await recorder.send({ ...read, path: deployment })).body;
    return domains[0].state === 'active';
  };
  while (!(await isServed())) await setTimeout(100);
  const link = await recorder.record('createDataLink', {
    method: 'POST',
    path: `${path}/link`,
    headers: KEY,
  });
  const { url, expiresAt } = link.body;
  recorder.alias(url, 'https://questions.example.com/.data/owner?key=1795277350.s7YVd2mZ4pQwX1nB8tRc6uKf0gHj3aLe');
  recorder.alias(expiresAt, 1_795_277_350_000);
}

export async function recordBuilds(recorder: Recorder): Promise<void> {
  const files = [
    { path: 'index.html', content: '<title>Hello</title><script type="module" src="/main.ts"></script>' },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the project
    { path: 'main.ts', content: 'const name: string = "world";\ndocument.body.append(`Hello ${name}`);' },
  ];
  await recorder.record('build', { method: 'POST', path: '/api/v1/builds', body: { files } });
}

/** @param stage returns the path to which the service redirects a body that it stored */
export async function recordStagedDeploys(recorder: Recorder, stage: (body: string) => Promise<string>): Promise<void> {
  const body = JSON.stringify({ files: page('Hello') });
  for (const [name, method] of [
    ['deployStaged', 'GET'],
    ['postDeployStaged', 'POST'],
  ] as const) {
    const path = await stage(body);
    const deployed = await recorder.record(name, { method, path });
    recorder.alias(path, '/api/v1/deploy/staged/2QqQehaVPXOqniPhlyGykUTKU9RxCzeb');
    recorder.alias(deployed.body.id, '7vhjquhv5h23');
    recorder.alias((deployed.headers.get('ETag') ?? '').replaceAll('"', ''), 'dPzlazXrTVqM');
  }
}

export async function recordReports(recorder: Recorder): Promise<void> {
  const { body } = await recorder.send({
    method: 'POST',
    path: '/api/v1/deploy',
    body: { files: page('Bank') },
  });
  const details = 'It imitates the login page of a bank';
  const report = { deploymentId: body.id, reason: 'phishing', details };
  const sent = await recorder.record('report', { method: 'POST', path: '/api/v1/reports', body: report });
  recorder.alias(body.id, 'w2x8m4kq9z1t');
  recorder.alias(sent.body.id, 'kV3t9QzR_7LmXc2a');
}

/** @param image a PNG */
export async function recordAssets(recorder: Recorder, image: Uint8Array<ArrayBuffer>): Promise<void> {
  const attributes = { name: 'me.png', type: 'image/png', size: image.length };
  const description = { attributes, entity_type: 'USER_AVATAR' };
  const created = await recorder.record('createAsset', {
    method: 'POST',
    path: ASSETS,
    headers: KEY,
    body: description,
  });
  const { asset_id, upload_url, upload_headers } = created.body;
  recorder.alias(asset_id, 'HuMVoKbMUylYoINFnwKt8');
  const uploaded = await fetch(upload_url, { method: 'PUT', headers: upload_headers, body: image });
  if (!uploaded.ok) throw new Error(`PUT ${upload_url}: ${uploaded.status} ${await uploaded.text()}`);
  const asset = { path: `${ASSETS}${asset_id}/`, headers: KEY };
  const change = { attributes: { name: 'portrait.png' } };
  await recorder.record('updateAsset', { ...asset, method: 'PATCH', body: change });
  await recorder.record('getAsset', { ...asset, method: 'GET' });
  await recorder.record('deleteAsset', { ...asset, method: 'DELETE' });
}

/** Records the first of two pages of each list; the key must not have been used before. */
export async function recordLists(recorder: Recorder): Promise<void> {
  const create = { method: 'POST', headers: KEY };
  for (const prompt of ['a quiz', PROMPT]) {
    await recorder.send({ ...create, path: '/api/v1/generate', body: { prompt } });
    await recorder.send({ ...create, path: '/api/v1/deploy', body: { files: page(prompt) } });
    await recorder.send({ ...create, path: ASSETS, body: { attributes: { name: 'me.png', size: 2048 } } });
  }
  for (const [name, path, id] of [
    ['listGenerations', '/api/v1/generations', 'PoC0eKLR7HfPIpvIiyW3s'],
    ['listDeployments', '/api/v1/deployments', 'q1v5n8r2k7cd'],
    ['listAssets', ASSETS, 'b9WmKJ2fTz1qYxu6cGd0e'],
  ] as const) {
    const list = { method: 'GET', path, headers: KEY };
    while ((await recorder.send(list)).body.items.length < 2) await setTimeout(50);
    const { body } = await recorder.record(name, { ...list, path: `${path}?limit=1` });
    const [item] = body.items;
    recorder.alias(item.asset_id ?? item.id, id);
    if (item.version) recorder.alias(item.version, 'T3zHq8WcXe5v');
    recorder.alias(body.nextCursor, `TmV4dFBhZ2U${id}`);
  }
}

/** @param recorded waits until the usage of these operations is recorded, which is after their responses */
export async function recordUsage(
  recorder: Recorder,
  recorded: (...operations: string[]) => Promise<void>,
): Promise<void> {
  const call = { method: 'POST', headers: KEY };
  const body = { prompt: PROMPT };
  const project = await recorder.send({ ...call, path: '/api/v1/generate', body });
  await recorder.send({ ...call, path: '/api/v1/deploy', body: project.body });
  await recorded('generate', 'deploy');
  await recorder.record('listProviders', { method: 'GET', path: '/api/v1/providers' });
  await recorder.record('getUsage', { method: 'GET', path: `/api/v1/usage?from=${day(20)}`, headers: KEY });
  recorder.alias(day(20), '2026-11-01');
  recorder.alias(day(0), '2026-11-21');
}
