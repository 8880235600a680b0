import { OPERATIONS, type OperationName } from '../../../lambda/contract/operations.ts';
import type { ExampleRequest, Recording } from '../examples/recording.ts';
import { literal, type Notation } from './literal.ts';

const JAVASCRIPT: Notation = {
  string: (text) => (/^\$[A-Z]+$/.test(text) ? `process.env.${text.slice(1)}` : quote(text)),
  name: (text) => (/^[a-z_$][\w$]*$/i.test(text) ? text : quote(text)),
  keywords: {},
  padded: true,
  trailingComma: ',',
  tab: '  ',
};

function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

const WRITE_FILE = "import { writeFile } from 'node:fs/promises';\n\n";

/** Returns a module for Node.js that sends a request with `fetch`. */
export function fetchSample({ request, response }: Recording, base: string): string {
  const { method, path, headers = {}, body, saveAs } = request;
  const sent = { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(Object.keys(sent).length > 0 ? [`headers: ${literal(sent, JAVASCRIPT, '  ')},`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, JAVASCRIPT, '  ')}),`]),
  ];
  const second = options.length > 0 ? `, {\n  ${options.join('\n  ')}\n}` : '';
  const call = `const response = await fetch('${base}${path}'${second});`;
  if (saveAs !== undefined) return `${WRITE_FILE}${call}\nawait writeFile('${saveAs}', response.body);`;
  const shown = response.body === undefined ? '' : ', await response.json()';
  return `${call}\nconsole.log(response.status${shown});`;
}

const UPLOAD = `// Creates the asset, uploads its bytes and marks it as uploaded.
const result = await client.assets.upload(await readFile('me.png'), {
  name: 'me.png',
  type: 'image/png',
  entityType: 'USER_AVATAR',
});`;
const DEPLOY = `const files = [{ path: 'index.html', content: '<title>My page</title>Hello' }];
// Follows the redirect for large bodies by itself.
const result = await client.deploy({ files });`;

/** Operations that the client performs as parts of others. */
const PARTS: Readonly<Record<string, string>> = {
  createAsset: UPLOAD,
  updateAsset: UPLOAD,
  deployStaged: DEPLOY,
  postDeployStaged: DEPLOY,
};

/** Operations that only a page's form calls. */
const WITHOUT_METHOD: readonly OperationName[] = ['unlockDeployment'];

/** Methods that are not named after their operation, as `deployments.get` is after `getDeployment`. */
const METHODS: Readonly<Record<string, string>> = {
  generate: 'generate',
  getGenerationResult: 'generations.result',
  deploy: 'deploy',
  build: 'build',
  listProviders: 'providers',
  getGenerationScreenshot: 'screenshot',
  getDeploymentArchive: 'deployments.archive',
  getDeploymentScreenshot: 'deployments.screenshot',
  getDeploymentViews: 'deployments.views',
  getUsage: 'usage',
  getDeploymentData: 'data.collections',
  createDataLink: 'data.link',
  listDataItems: 'data.list',
  clearCollection: 'data.clear',
  getDataItem: 'data.get',
  deleteDataItem: 'data.delete',
  approveDataItem: 'data.approve',
  putDomain: 'deployments.addDomain',
  deleteDomain: 'deployments.removeDomain',
};

/** Returns a module for Node.js that performs an operation with the client, or undefined if it has no method for it. */
export function clientSample(name: OperationName, { request }: Recording, base: string): string | undefined {
  if (WITHOUT_METHOD.includes(name)) return undefined;
  const { saveAs } = request;
  const [, verb, noun = ''] = /^([a-z]+)(Generation|Deployment|Asset)s?$/.exec(name) ?? [];
  const method = METHODS[name] ?? (verb && `${noun.toLowerCase()}s.${verb}`);
  const head = `const ${saveAs === undefined ? 'result' : 'bytes'} = await client.${method}(`;
  const call = PARTS[name] ?? (method && `${head}${callArguments(name, request, head.length)});`);
  if (!call) return undefined;
  const key = request.headers?.['X-API-Key'] ? ', key: process.env.KEY' : '';
  if (saveAs !== undefined)
    return `import { writeFile } from 'node:fs/promises';
import { Client } from './client.js';

const client = new Client({ baseUrl: '${base}'${key} });
${call}
await writeFile('${saveAs}', bytes);`;
  return `${call === UPLOAD ? "import { readFile } from 'node:fs/promises';\n" : ''}import { Client } from './client.js';

const client = new Client({ baseUrl: '${base}'${key} });
${call}
console.log(result);`;
}

/** Returns the ids of the path, and an object of query, body and token. @param used characters before them on their line */
function callArguments(name: OperationName, { path, headers, body }: ExampleRequest, used: number): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const actual = pathname.split('/');
  const segments = OPERATIONS[name].path.split('/');
  const ids = segments.flatMap((segment, i) => (segment.startsWith('{') ? [quote(actual[i] ?? '')] : []));
  const token = headers?.['X-Deployment-Token'];
  const query = [...searchParams].map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]);
  const options = { ...Object.fromEntries(query), ...(body as object), ...(token ? { token } : {}) };
  if (Object.keys(options).length === 0) return ids.join(', ');
  return [...ids, literal(options, JAVASCRIPT, '', used + ids.join(', ').length)].join(', ');
}
