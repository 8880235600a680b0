import { randomUUID } from 'node:crypto';
import { connect as connectSocket, createServer } from 'node:net';
import { join } from 'node:path';
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Lambda } from '../../../local/cloud/lambda/lambda.ts';
import { assetPath, readAssembly, type TemplateResource } from '../../../local/cloud/template/template.ts';
import { definitionOf } from '../emulated.ts';
import { serve } from '../serve.ts';
import { newCaller, type Sent } from './client.ts';
import { cloud } from './cloud.ts';

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

/** Connects the official client to a server of the cloud. @param fetch how requests reach it */
export async function connect(
  revision: (typeof REVISIONS)[number],
  { fetch = fetchOf(), key, ...options }: ClientOptions & { fetch?: typeof globalThis.fetch; key?: string } = {},
): Promise<Client> {
  const pinned = { versionNegotiation: { mode: { pin: revision } } };
  const client = new Client(
    { name: 'suite', version: '1' },
    { ...options, ...(revision === '2025-11-25' ? {} : pinned) },
  );
  const requestInit = key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', cloud().baseUrl), { fetch, requestInit }));
  return client;
}

/** Returns a `fetch` through CloudFront from an address of its own. */
export function fetchOf(caller = newCaller(), more: Readonly<Record<string, string>> = {}): typeof fetch {
  return async (input, init) => {
    const sent = sentOf(init);
    const { status, headers, bytes } = await caller.send(new URL(String(input)).pathname, {
      ...sent,
      headers: { ...sent.headers, ...more },
    });
    return responseOf(status, headers as Record<string, string>, bytes);
  };
}

/** Returns a `fetch` that invokes two execution environments of the function in turn, like a load balancer. */
export function inTurn(resources: AsyncDisposableStack): { fetch: typeof fetch; served: readonly number[] } {
  const environments = [0, 1].map(() => environment(resources));
  const served = [0, 0];
  let next = 0;
  return {
    served,
    fetch: async (_, init) => {
      const turn = next++ % environments.length;
      served[turn] = (served[turn] ?? 0) + 1;
      const { statusCode, headers, body } = await (environments[turn] as Invoke)(sentOf(init));
      return responseOf(statusCode, headers, Buffer.from(body));
    },
  };
}

/** Returns a URL of the cloud that programs reach from an address of their own. */
export async function ownAddress(resources: AsyncDisposableStack): Promise<string> {
  const { address: localAddress } = newCaller();
  const server = createServer((socket) => {
    const port = Number(new URL(cloud().baseUrl).port);
    const upstream = connectSocket({ host: '127.0.0.1', port, localAddress });
    for (const stream of [socket, upstream]) {
      stream.on('error', () => stream.destroy());
      resources.defer(() => void stream.destroy());
    }
    socket.pipe(upstream).pipe(socket);
  });
  const { url, close } = await serve(server, 0, 'localhost');
  resources.defer(() => void close());
  return url;
}

type Invoke = (sent: Sent) => Promise<{ statusCode: number; headers: Record<string, string>; body: string }>;

/** Starts an execution environment with the function of the suite's template, which calls the API through CloudFront. */
function environment(resources: AsyncDisposableStack): Invoke {
  const assembly = readAssembly(join(cloud().stateDir, 'cdk.out'));
  const [, found] = Object.entries(assembly.template.Resources).find(
    ([id, { Type }]) => id.startsWith('McpServer') && Type === 'AWS::Lambda::Function',
  ) as [string, TemplateResource];
  const { Code, Handler } = found.Properties as { Code: { S3Key: string }; Handler: string };
  const arn = 'arn:aws:lambda:us-east-1:000000000000:function:mcp';
  const definition = definitionOf(assetPath(assembly, Code.S3Key), arn, {
    handler: Handler,
    timeoutSeconds: 29,
    memoryMb: 512,
    frontDoorPort: Number(new URL(cloud().baseUrl).port),
    environment: { API_URL: cloud().baseUrl, API_GATEWAY_DOOR: 'true' },
  });
  const lambda = new Lambda([definition], () => {});
  resources.defer(() => lambda.close());
  const statements = [{ Effect: 'Allow', Action: ['lambda:InvokeFunction'], Resource: ['*'] }] as const;
  const principal = { name: 'suite', arn: '', secretAccessKey: '', statements };
  const caller = { credentials: { accessKeyId: '', principal }, actions: { 'lambda:InvokeFunction': {} } };
  return async ({ method = 'POST', headers = {}, body }) => {
    const requestContext = {
      requestId: randomUUID(),
      stage: 'api',
      requestTimeEpoch: Date.now(),
      identity: { sourceIp: '192.0.2.1' },
    };
    const event = { httpMethod: method, path: '/mcp', headers, body: String(body ?? ''), requestContext };
    return JSON.parse(String(await lambda.invoke(arn, event, caller)));
  };
}

function sentOf({
  method = 'GET',
  headers,
  body,
}: RequestInit = {}): Required<Pick<Sent, 'method' | 'headers'>> & Sent {
  return {
    method,
    headers: Object.fromEntries(new Headers(headers)),
    ...(body ? { body: String(body) } : {}),
  };
}

function responseOf(status: number, headers: Record<string, string>, bytes: Buffer): Response {
  const body = bytes.length === 0 ? null : new Uint8Array(bytes);
  const sent = Object.entries(headers).filter(([name]) => !/^(connection|keep-alive|transfer-encoding)$/i.test(name));
  return new Response(body, { status, headers: Object.fromEntries(sent) });
}

/** Returns the structured content of a result that is no error. */
// biome-ignore lint/suspicious/noExplicitAny: tests read the fields that they expect
export function dataOf(result: CallToolResult): any {
  if (result.isError) throw new Error(`The tool failed: ${textOf(result)}`);
  return result.structuredContent;
}

/** Returns the text of a result, as models get it. */
export function textOf({ content }: CallToolResult): string {
  return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
}
