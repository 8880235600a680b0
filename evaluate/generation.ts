import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerateResponse, GenerationResource } from '../lambda/contract/responses/generate.ts';

/** The service that generates and deploys. */
export interface Service {
  readonly baseUrl: string;
  readonly key?: string | undefined;
  /** `model` of the request: a provider, or `auto`. */
  readonly model: string;
}

/** The matched starter is absent in answers of models. */
export type EvaluatedGeneration = GenerationResource & { readonly matched?: string | null };

export interface TimedGeneration extends GenerateResponse {
  readonly generation: EvaluatedGeneration;
  /** Milliseconds from the request to the first complete file. */
  readonly firstFileMs: number;
  /** Milliseconds from the request to the last complete file. */
  readonly lastFileMs: number;
}

export interface EvaluatedDeployment {
  /** Undefined if the project has no page. */
  readonly url: string | undefined;
  delete(): Promise<void>;
}

const API = '/api/v1';

/** Generates a project. @throws Error with the service's message if there is no result */
export async function generate(service: Service, prompt: string): Promise<TimedGeneration> {
  const begin = performance.now();
  const response = await post(service, '/generate', { prompt, model: service.model }, 'text/event-stream');
  const id = response.headers.get('x-generation-id');
  const fileMs: number[] = [];
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'file') fileMs.push(Math.round(performance.now() - begin));
    if (event === 'error') throw new Error((data as { body: { error: string } }).body.error);
    if (event !== 'done') continue;
    const resource = await fetch(`${service.baseUrl}${API}/generations/${id}`, {
      headers: headersOf(service),
    });
    const generation = (await resource.json()) as EvaluatedGeneration;
    const [firstFileMs = 0] = fileMs;
    return { ...(data as GenerateResponse), generation, firstFileMs, lastFileMs: fileMs.at(-1) ?? 0 };
  }
  throw new Error('The event stream ended before the generation did');
}

/** The service cannot build the project. Its message is what is wrong, with the places in its files. */
export class UnbuiltError extends Error {
  override readonly name = 'UnbuiltError';
}

/** Deploys a generated project. @throws UnbuiltError */
export async function deploy(service: Service, { files }: GenerateResponse): Promise<EvaluatedDeployment> {
  const response = await post(service, '/deploy', { files });
  const { id, url, entry } = (await response.json()) as { id: string; url: string; entry: string };
  const headers = {
    ...headersOf(service),
    'x-deployment-token': response.headers.get('x-deployment-token') ?? '',
  };
  return {
    url: entry === '' ? undefined : url,
    async delete() {
      await fetch(`${service.baseUrl}${API}/deployments/${id}`, { method: 'DELETE', headers });
    },
  };
}

/** Waits when the rate limit is used up. */
async function post(
  service: Service,
  path: string,
  body: object,
  accept = 'application/json',
): Promise<Response> {
  const headers = { ...headersOf(service), 'content-type': 'application/json', accept };
  for (;;) {
    const response = await fetch(`${service.baseUrl}${API}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (response.ok) return response;
    const text = await response.text();
    if (isBuildFailure(response.status, text)) throw new UnbuiltError(JSON.parse(text).error);
    if (response.status !== 429)
      throw new Error(`POST ${API}${path} returned ${response.status}: ${text.slice(0, 300)}`);
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
  }
}

/** Reports if a response says that the source does not build: `problems` are in no other one of this status. */
function isBuildFailure(status: number, body: string): boolean {
  return status === 400 && body.includes('"problems"');
}

const headersOf = ({ key }: Service): Record<string, string> => (key ? { 'x-api-key': key } : {});

/** Yields server-sent events as they arrive. */
async function* eventsOf({ body }: Response): AsyncGenerator<{ event: string; data: unknown }> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}
