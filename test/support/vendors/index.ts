import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises';
import { serve } from '../serve.ts';
import { anthropic } from './anthropic.ts';
import { bedrock } from './bedrock.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';
import { openAiCompatible } from './openai-compatible.ts';
import { type Body, type Frame, type Limits, type Step, USAGE, type Wire } from './script.ts';

export type { Step } from './script.ts';

const WIRES = { anthropic, bedrock, google, openai, 'openai-compatible': openAiCompatible } satisfies Record<
  string,
  (body: Body) => Wire
>;

/** Vendors send a piece of some tokens at a time. */
const PIECE_MS = 50;

export type VendorKind = keyof typeof WIRES;
export const VENDOR_KINDS = Object.keys(WIRES) as VendorKind[];

/** A received request, and how it ended. */
export interface VendorRequest {
  /** Including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
  /** Whether the connection was closed before the response ended. */
  closedEarly: boolean;
  /** Resolves with `closedEarly` when the response has ended or the connection was closed. */
  readonly over: Promise<boolean>;
}

/** A vendor's server on the loopback interface. */
export interface Vendor {
  /** For a provider's configuration. */
  readonly baseUrl: string;
  /** All requests so far. */
  readonly requests: readonly VendorRequest[];
  close(): Promise<void>;
}

/** What the vendor does: the same for every request, or by the request and its number, from 1. */
export type Script = readonly Step[] | ((number: number, request: VendorRequest) => readonly Step[]);

/**
 * Starts a server that speaks a vendor's streaming protocol and behaves as the script says.
 * @param lists JSON responses to GET requests by path, such as a list of models
 * @param limits what the vendor refuses before it follows the script
 */
export async function startVendor(
  kind: VendorKind,
  script: Script,
  lists: Readonly<Record<string, object>> = {},
  limits: Limits = {},
): Promise<Vendor> {
  const { path, basePath, error, refusal } = WIRES[kind](undefined);
  const requests: VendorRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = await receive(incoming, outgoing);
    requests.push(request);
    const list = incoming.method === 'GET' ? lists[request.path] : undefined;
    if (list) return void outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(list));
    if (incoming.method !== 'POST' || !path.test(request.path)) {
      return void outgoing.writeHead(404).end(error(404, `There is no ${incoming.method} ${request.path}`));
    }
    const refused = refusal(request.body, limits);
    if (refused) return void outgoing.writeHead(refused.status).end(error(refused.status, refused.message));
    await perform(
      typeof script === 'function' ? script(requests.length, request) : script,
      WIRES[kind](request.body),
      outgoing,
    );
  };
  const { url, close } = await serve(server);
  return { baseUrl: `${url}${basePath}`, requests, close };
}

/** Sends a text at a pace; a piece that comes late does not delay those after it. */
async function sendPaced(
  { text, pace }: Extract<Step, { readonly pace: number }>,
  send: (text: string) => Promise<void>,
  outgoing: ServerResponse,
): Promise<void> {
  const begun = performance.now();
  for (let sent = 0; sent < text.length && !outgoing.destroyed; ) {
    const due = Math.min(text.length, Math.ceil(((performance.now() - begun) / 1000) * pace));
    if (due > sent) await send(text.slice(sent, due));
    sent = due;
    await sleep(PIECE_MS);
  }
}

async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<VendorRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const request: VendorRequest = {
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: JSON.parse(Buffer.concat(chunks).toString() || 'null'),
    closedEarly: false,
    over: once(outgoing, 'close').then(() => {
      request.closedEarly = !outgoing.writableFinished;
      return request.closedEarly;
    }),
  };
  return request;
}

async function perform(steps: readonly Step[], wire: Wire, outgoing: ServerResponse): Promise<void> {
  const send = async (frame: Frame, bytewise = false) => {
    if (!outgoing.headersSent) {
      outgoing.writeHead(200, { 'content-type': wire.contentType });
      outgoing.write(wire.start());
    }
    const bytes = Buffer.from(frame);
    for (const piece of bytewise ? Array.from(bytes, (byte) => Buffer.of(byte)) : [bytes]) {
      outgoing.write(piece);
      if (bytewise) await tick();
    }
  };
  for (const step of steps) {
    if (outgoing.destroyed) return;
    if (step === 'hang') return;
    if (step === 'reset') return void outgoing.socket?.resetAndDestroy();
    if (step === 'keepAlive') await send(wire.keepAlive());
    else if (step === 'refuse') await send(wire.refuse());
    else if ('wait' in step) await sleep(step.wait);
    else if ('until' in step) await step.until;
    else if ('pace' in step) await sendPaced(step, (text) => send(wire.text(text)), outgoing);
    else if ('text' in step) await send(wire.text(step.text), step.bytewise);
    else if ('reasoning' in step) await send(wire.reasoning(step.reasoning));
    else if ('finish' in step) await send(wire.finish(step.finish, step.usage ?? USAGE));
    else if ('fault' in step) await send(wire.fault(step.fault));
    else {
      outgoing.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
      return void outgoing.end(step.body ?? wire.error(step.status, `This is a ${step.status}`));
    }
  }
  outgoing.end();
}
