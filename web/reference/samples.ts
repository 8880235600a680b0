import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { fileURLToPath } from 'node:url';
import { OPERATIONS, type OperationName } from '../../lambda/contract/operations.ts';
import { ELLIPSIS, type ExampleRequest, type ExampleResponse, type Recording } from './examples/recorder.ts';
import type { SampleId } from './languages.ts';

/** How a language writes the values of JSON. */
interface Notation {
  string(text: string): string;
  /** The name of a field. */
  name(text: string): string;
  readonly keywords: Readonly<Record<string, string>>;
  /** Whether an object on one line has spaces inside its braces. */
  readonly padded: boolean;
  /** After the last of several lines. */
  readonly trailingComma: '' | ',';
  readonly tab: string;
}

/** A literal that makes its line longer is split into lines. */
const LINE_LENGTH = 58;

const JSON_NOTATION: Notation = {
  string: (text) => JSON.stringify(text),
  name: (text) => JSON.stringify(text),
  keywords: {},
  padded: true,
  trailingComma: '',
  tab: '  ',
};

/** Writes a value as a literal: on one line if it fits, else one line per element. @param used characters before it on its line */
function literal(value: unknown, notation: Notation, indent = '', used = indent.length): string {
  const { name, padded, trailingComma, tab } = notation;
  if (typeof value === 'string') return value === ELLIPSIS ? ELLIPSIS : notation.string(value);
  if (typeof value !== 'object' || value === null) return notation.keywords[String(value)] ?? JSON.stringify(value);
  const elements = (inner: string) =>
    Array.isArray(value)
      ? value.map((element) => literal(element, notation, inner))
      : Object.entries(value).map(([key, one]) => `${name(key)}: ${literal(one, notation, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const pad = padded && open === '{' ? ' ' : '';
  // The indentation makes elements that do not fit even longer.
  const inline = elements('').join(', ');
  const isShort = used + inline.length + 2 * pad.length + 2 <= LINE_LENGTH && !/\n|…/.test(inline);
  if (isShort) return inline === '' ? open + close : `${open}${pad}${inline}${pad}${close}`;
  const inner = indent + tab;
  return `${open}\n${inner}${elements(inner).join(`,\n${inner}`)}${trailingComma}\n${indent}${close}`;
}

/** Returns the curl command of a request, for a shell in which the variables of the request are set. */
export function curlSample({ request, response }: Recording, base: string): string {
  const { method, path, headers = {}, body, saveAs } = request;
  const follow = request.follow || (saveAs !== undefined && response.status === 303);
  const implied = body === undefined ? 'GET' : 'POST';
  const output = saveAs === undefined ? '-i' : `-o ${saveAs}`;
  const options = [`${output}${follow ? ' -L' : ''}`, ...(method === implied ? [] : [`-X ${method}`])];
  const json = body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${shellJson(body)}'`];
  const lines = [`curl ${options.join(' ')} "${base}${path}"`, ...headerOptions(headers), ...json];
  return lines.join(' \\\n  ');
}

/** Variables expand in double quotes only. */
function headerOptions(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => {
    const quote = value.includes('$') ? '"' : "'";
    return `-H ${quote}${name}: ${value}${quote}`;
  });
}

/** Closes the single quotes of the argument around apostrophes and variables. */
function shellJson(body: unknown): string {
  return literal(body, JSON_NOTATION, '  ')
    .replaceAll("'", `'\\''`)
    .replaceAll(/\$[A-Z]+/g, (variable) => `'"${variable}"'`);
}

/** Returns a response as `curl -i` prints it: status line, headers, an empty line and the body. */
export function responseText({ status, headers, body }: ExampleResponse): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields].join('\n');
  if (body === undefined) return head;
  return `${head}\n\n${typeof body === 'string' ? body.replaceAll('\r', '').trimEnd() : literal(body, JSON_NOTATION)}`;
}

const PYTHON: Notation = {
  string: (text) => (/^\$[A-Z]+$/.test(text) ? `os.environ["${text.slice(1)}"]` : JSON.stringify(text)),
  name: (text) => JSON.stringify(text),
  keywords: { true: 'True', false: 'False', null: 'None' },
  padded: false,
  trailingComma: ',',
  tab: '    ',
};

/** Returns a Python program that sends a request with the standard library. */
function pythonSample({ request, response }: Recording, base: string): string {
  const { method, path, headers = {}, body, saveAs } = request;
  const sent = { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  const options = [
    ...(method === 'GET' ? [] : [`method="${method}",`]),
    ...(Object.keys(sent).length > 0 ? [`headers=${literal(sent, PYTHON, '    ')},`] : []),
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body, PYTHON, '    ')}).encode(),`]),
  ];
  const url = `"${base}${path}"`;
  const json = response.body === undefined ? '' : ', json.load(response)';
  const use =
    saveAs === undefined
      ? `with urlopen(request) as response:
    print(response.status${json})`
      : `with urlopen(request) as response, open("${saveAs}", "wb") as file:
    file.write(response.read())`;
  const code = `request = Request(${options.length > 0 ? `\n    ${[`${url},`, ...options].join('\n    ')}\n` : url})
${use}`;
  const modules = ['json', 'os'].filter((name) => code.includes(`${name}.`));
  return `${modules.length > 0 ? `import ${modules.join(', ')}\n` : ''}from urllib.request import Request, urlopen\n\n${code}`;
}

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
function fetchSample({ request, response }: Recording, base: string): string {
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
function clientSample(name: OperationName, { request }: Recording, base: string): string | undefined {
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

/** Written by `npm run record-examples`. */
export const EXAMPLES_FILE = fileURLToPath(new URL('./examples/examples.json', import.meta.url));

/** Returns the recorded examples; a new operation has none before it is recorded. */
export function readExamples(): { readonly [Name in OperationName]?: Recording } {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8'));
}

/** Returns the code of an example's request in each language. @param base the base URL */
export function samplesOf(name: OperationName, example: Recording, base: string): Record<SampleId, string> {
  const fetch = fetchSample(example, base);
  const client = clientSample(name, example, base) ?? fetch;
  return { curl: curlSample(example, base), client, fetch, python: pythonSample(example, base) };
}
