import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import type { OperationName } from '../../../lambda/contract/operations.ts';
import { servicePages } from '../../../web/pages.ts';
import type { ExampleRequest } from '../../../web/reference/examples/recorder.ts';
import { SAMPLES, type SampleId } from '../../../web/reference/languages.ts';
import { readExamples, samplesOf } from '../../../web/reference/samples.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';

const run = promisify(execFile);

const COMMANDS: Readonly<Record<SampleId, readonly string[]>> = {
  curl: ['sh', '-e', 'sample'],
  client: [process.execPath, 'sample.mjs'],
  fetch: [process.execPath, 'sample.mjs'],
  python: ['python3', 'sample'],
};

const hasPython = spawnSync('python3', ['--version']).status === 0;
const clientModule = servicePages()['client.js']?.body;
const available = SAMPLES.map(({ id }) => id).filter(
  (id) => (id !== 'python' || hasPython) && (id !== 'client' || clientModule !== undefined),
);

/** What every language quotes in its own way. */
const CONTENT = `<title>It's "quoted"</title>\n\\n $ {x} \`y\` ünï 😀`;

const key = await newKey();
describe.each(available)('the sample in %s', (language) => {
  const folder = temporaryFolder();
  if (clientModule !== undefined) writeFileSync(join(folder, 'client.js'), clientModule);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

  /** Executes the sample of an operation, with the key of this suite. Returns what it prints. */
  async function execute(name: OperationName, change: Partial<ExampleRequest>, env = {}): Promise<string> {
    const example = readExamples()[name];
    if (!example) throw new Error(`There is no example of ${name}`);
    const request = { ...example.request, ...change, headers: { 'X-API-Key': '$KEY' } };
    const code = samplesOf(name, { ...example, request }, cloud().baseUrl)[language];
    const [command = '', ...args] = COMMANDS[language];
    writeFileSync(join(folder, args.at(-1) ?? ''), code);
    const { stdout } = await run(command, args, { cwd: folder, env: { ...process.env, KEY: key, ...env } });
    return stdout;
  }

  it('deploys, retrieves and deletes a deployment', async () => {
    const body = { projectId: '$PROJECT', files: [{ path: 'index.html', content: CONTENT }] };
    const deployed = await execute('deploy', { body }, { PROJECT: randomUUID() });
    const [, id = ''] = /\/d\/([0-9a-z]{12})/.exec(deployed) ?? [];
    const { text } = await newCaller().send(`/d/${id}/`);
    expect(text).toBe(CONTENT);

    const path = `/api/v1/deployments/${id}`;
    expect(await execute('getDeployment', { path })).toMatch(/"?versions"?: ?\[|'versions': \[/);
    expect(await execute('deleteDeployment', { path })).toContain('deleted');
  });

  it('downloads a deployment', async () => {
    const headers = { 'X-API-Key': key };
    const body = { files: [{ path: 'index.html', content: CONTENT }] };
    const { json } = await newCaller().post('/api/v1/deploy', body, headers);
    await execute('getDeploymentArchive', { path: `/api/v1/deployments/${json.id}/archive` });
    const zip = readFileSync(join(folder, 'site.zip'));
    expect(Buffer.from(unzipSync(zip)['index.html'] ?? []).toString()).toBe(CONTENT);
  });

  it('sends a query', async () => {
    expect(await execute('getUsage', { path: '/api/v1/usage?from=2026-11-01&to=2026-11-02' })).toMatch(/totals/);
  });

  it('deletes an asset, which has a response without a body', async () => {
    const headers = { 'X-API-Key': key };
    const { json } = await newCaller().post('/api/v1/assets/user-assets/', { attributes: { size: 9 } }, headers);
    const path = `/api/v1/assets/user-assets/${json.asset_id}/`;
    await execute('deleteAsset', { path });
    expect((await newCaller().send(path, { headers })).status).toBe(404);
  });
});
