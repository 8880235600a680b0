import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { FunctionUrlOrigin } from '../../local/cloud/cloudfront/function-url-origin.ts';
import { type FunctionDefinition, Lambda } from '../../local/cloud/lambda/lambda.ts';
import { readStreamedResponse } from '../../local/cloud/lambda/streamed-response.ts';
import { temporaryFolder } from '../support/at-end.ts';
import { definitionOf } from '../support/emulated.ts';

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:f';
const principal = { name: 'me', arn: 'arn:aws:iam::000000000000:role/me', secretAccessKey: 's' };
const allowed = { Effect: 'Allow', Action: ['lambda:InvokeFunction'], Resource: ['*'] } as const;
const caller = {
  credentials: { accessKeyId: 'A', principal: { ...principal, statements: [allowed] } },
  actions: { 'lambda:InvokeFunction': {} },
};

const codeDir = temporaryFolder();
const lines: string[] = [];
const started: Lambda[] = [];

afterAll(() => Promise.all(started.map((lambda) => lambda.close())));

let count = 0;

/** Returns a function with this code. */
function functionWith(code: string, more: Partial<FunctionDefinition> = {}): FunctionDefinition {
  const file = `bundle${count++}`;
  writeFileSync(join(codeDir, `${file}.mjs`), code);
  const environment = { GREETING: 'hello' };
  return definitionOf(codeDir, ARN, { handler: `${file}.handler`, environment, ...more });
}

/** Returns the Lambda service with one function. */
function lambdaOf(code: string, config: Partial<FunctionDefinition> = {}): Lambda {
  const lambda = new Lambda([functionWith(code, config)], (name, line) => lines.push(`${name} ${line}`));
  started.push(lambda);
  return lambda;
}

const call = async (lambda: Lambda, event: unknown = {}) => JSON.parse(String(await lambda.invoke(ARN, event, caller)));

/** Waits for a log line, which may arrive after the function's response. */
async function logged(line: string): Promise<void> {
  while (!lines.includes(line)) await sleep(20);
}

test('a handler gets its event, its context and only its own environment variables', async () => {
  const lambda = lambdaOf(`export const handler = async (event, context) => {
    console.log('ran');
    return { event, env: Object.keys(process.env), arn: context.invokedFunctionArn, left: context.getRemainingTimeInMillis() };
  }`);
  const result = await call(lambda, { a: 1 });
  expect(result).toMatchObject({ event: { a: 1 }, env: ['GREETING'], arn: ARN });
  expect(result.left).toBeGreaterThan(3000);
  await logged('F ran');
});

describe('a function with reserved concurrency', () => {
  const SLOW = `export const handler = async ({ ms = 0 }) => {
    await new Promise((done) => setTimeout(done, ms));
    return {};
  }`;

  test('rejects an invocation beyond it at once, and runs one when another has ended', async () => {
    const lambda = lambdaOf(SLOW, { reservedConcurrency: 2 });
    const running = [call(lambda, { ms: 300 }), call(lambda, { ms: 300 })];
    await expect(call(lambda)).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      message: 'Rate Exceeded.',
    });
    await Promise.all(running);
    await call(lambda);
  });

  test('cannot take the last 100 of the quota', () => {
    const definition = { ...functionWith(SLOW), reservedConcurrency: 6 };
    expect(() => new Lambda([definition], () => {}, 105)).toThrow('leaves 99 of 105: Lambda keeps 100');
  });

  test('gets its concurrency back from an invocation that fails', async () => {
    const lambda = lambdaOf("export const handler = async () => { throw new Error('no'); }", {
      reservedConcurrency: 1,
    });
    for (let i = 0; i < 3; i++) await expect(call(lambda)).rejects.toMatchObject({ name: 'FunctionError' });
  });
});

test('an environment runs one invocation at a time, and is reused', async () => {
  const lambda = lambdaOf(`let busy = 0, runs = 0;
    export const handler = async () => {
      busy += 1; runs += 1; const most = busy;
      await new Promise((done) => setTimeout(done, 60));
      busy -= 1;
      return { most, runs };
    }`);
  const results = await Promise.all(Array.from({ length: 6 }, () => call(lambda)));
  expect(results.every(({ most }) => most === 1)).toBe(true);
  expect((await call(lambda)).runs).toBeGreaterThan(1);
});

test.each([
  ['throws', "export const handler = async () => { throw new TypeError('no'); }", 'TypeError', 'no'],
  [
    'takes too long',
    'export const handler = () => new Promise(() => {})',
    'Sandbox.Timedout',
    'Task timed out after 0.30 seconds',
  ],
  ['never yields', 'export const handler = () => { for (;;); }', 'Sandbox.Timedout', 'Task timed out'],
  ['exits', 'export const handler = async () => { process.exit(3); }', 'Runtime.ExitError', 'exit status 3'],
  ['does not load', "throw new Error('broken')", 'Error', 'broken'],
  ['is missing', 'export const other = 1', 'Runtime.HandlerNotFound', 'is undefined or not exported'],
  [
    'takes a callback',
    'export const handler = (event, context, callback) => callback()',
    'Runtime.CallbackHandlerDeprecated',
    '',
  ],
  [
    'returns too much',
    "export const handler = async () => 'x'.repeat(6291456)",
    'Function.ResponseSizeTooLarge',
    '6291458 bytes',
  ],
])('a function that %s fails as on Lambda', async (_name, code, errorType, message) => {
  const lambda = lambdaOf(code, { timeoutSeconds: errorType === 'Sandbox.Timedout' ? 0.3 : 60 });
  await expect(lambda.invoke(ARN, {}, caller)).rejects.toMatchObject({
    payload: { errorType, errorMessage: expect.stringContaining(message) },
  });
});

test('a crash kills busy and idle environments, and the next request gets a new one', async () => {
  const file = join(codeDir, 'alive');
  const lambda = lambdaOf(`import { appendFileSync } from 'node:fs';
    let runs = 0;
    export const handler = async ({ file }) => {
      runs += 1;
      while (file) {
        appendFileSync(file, '.');
        await new Promise((done) => setTimeout(done, 5));
      }
      return runs;
    }`);
  expect(await call(lambda)).toBe(1);
  const running = expect(call(lambda, { file })).rejects.toMatchObject({
    payload: { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited with error: signal: killed' },
  });
  while (!existsSync(file)) await sleep(20);
  await lambda.crash('F');
  const written = readFileSync(file, 'utf8');
  await running;
  expect(await call(lambda)).toBe(1);
  await lambda.crash('F');
  expect(await call(lambda)).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe(written);
  await expect(lambda.crash('Other')).rejects.toThrow('Other is part of the names of 0 functions');
});

test('rejects events over 6 MB, callers without permission and other runtimes', async () => {
  const lambda = lambdaOf('export const handler = async () => 1');
  await expect(call(lambda, 'x'.repeat(6_291_455))).rejects.toMatchObject({
    name: 'RequestTooLargeException',
  });
  const stranger = {
    ...caller,
    credentials: { accessKeyId: 'B', principal: { ...principal, statements: [] } },
  };
  await expect(lambda.invoke(ARN, {}, stranger)).rejects.toMatchObject({ name: 'AccessDenied' });
  await expect(call(lambdaOf('', { runtime: 'python3.13' }))).rejects.toThrow(
    'does not support python3.13, the runtime of F',
  );
});

test('an alias invokes the same function, with its own policy and shared concurrency', async () => {
  const service = { name: 's', arn: 's.amazonaws.com', secretAccessKey: 's', statements: [] };
  const byService = { ...caller, credentials: { principal: service } };
  const code = `export const handler = async ({ ms = 0 }, { invokedFunctionArn }) => {
    await new Promise((done) => setTimeout(done, ms));
    return invokedFunctionArn;
  }`;
  const lambda = lambdaOf(code, {
    qualifiers: ['1', 'live'],
    reservedConcurrency: 1,
    policy: [{ ...allowed, Principal: [service.arn], Resource: [`${ARN}:live`] }],
  });
  expect(String(await lambda.invoke(`${ARN}:live`, {}, byService))).toBe(`"${ARN}:live"`);
  await expect(lambda.invoke(ARN, {}, byService)).rejects.toMatchObject({ name: 'AccessDenied' });
  await expect(lambda.invoke(`${ARN}:1`, {}, byService)).rejects.toMatchObject({ name: 'AccessDenied' });
  expect(['f', 'f:live', `${ARN}:1`, 'f:old'].map((name) => lambda.arnOf(name))).toEqual([
    ARN,
    `${ARN}:live`,
    `${ARN}:1`,
    undefined,
  ]);
  const running = lambda.invoke(`${ARN}:live`, { ms: 300 }, byService);
  await expect(lambda.invoke(ARN, {}, caller)).rejects.toMatchObject({ name: 'TooManyRequestsException' });
  await running;
});

const REQUEST = { method: 'GET', path: '/', query: '', headers: [], peerIp: '127.0.0.1' };

/** Returns the URL of a streaming function. */
function urlOf(lambda: Lambda): FunctionUrlOrigin {
  const actions = ['lambda:InvokeFunction', 'lambda:InvokeFunctionUrl'];
  const statements = [{ Effect: 'Allow', Action: actions, Resource: ['*'] }] as const;
  return new FunctionUrlOrigin({
    functionArn: ARN,
    invokeMode: 'RESPONSE_STREAM',
    domain: 'abc.lambda-url.us-east-1.on.aws',
    lambda,
    credentials: { accessKeyId: 'A', principal: { ...principal, statements } },
    distributionArn: 'arn:aws:cloudfront::000000000000:distribution/D',
    accountId: '000000000000',
  });
}

describe('a streaming function', () => {
  const streaming = (body: string) =>
    lambdaOf(`export const handler = awslambda.streamifyResponse(async (event, stream) => {
      const out = awslambda.HttpResponseStream.from(stream, { statusCode: 201, headers: { 'x-a': '1' }, cookies: ['c=1'] });
      ${body}
    });`);
  const open = (lambda: Lambda) => readStreamedResponse(lambda.invokeWithResponseStream(ARN, {}, caller));

  test('sends neither status nor headers without a write, as in the Lambda runtime', async () => {
    await expect(open(streaming('out.end();'))).rejects.toMatchObject({ name: 'EmptyStream' });
    const url = urlOf(streaming('out.end();'));
    expect(await url.handle({ ...REQUEST, body: Readable.from([]) })).toMatchObject({
      status: 200,
      headers: [['Content-Type', 'application/octet-stream']],
      body: Buffer.alloc(0),
    });
  });

  test('is malformed when its only bytes are those of end()', async () => {
    await expect(open(streaming("out.end('all');"))).rejects.toMatchObject({ name: 'MalformedResponse' });
  });

  test('fails its stream when it throws after the first byte', async () => {
    const { body } = await open(
      streaming("out.write('one'); await new Promise((done) => setTimeout(done, 20)); throw new Error('late');"),
    );
    await expect(body.toArray()).rejects.toThrow('Error: late');
  });

  test('continues when its reader disconnects', async () => {
    const lambda = streaming(
      "for (let i = 0; i < 40; i++) out.write('x'.repeat(65536)); out.end(); await new Promise((done) => out.on('finish', done)); console.log('finished');",
    );
    const { body } = await open(lambda);
    body.destroy();
    await logged('F finished');
  });
});
