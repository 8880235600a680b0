import { get } from 'node:http';
import { OPERATIONS, type OperationName } from '../../../lambda/contract/operations.ts';
import type { ExampleRequest, Recording, Recordings } from './recording.ts';
import { stableRecording } from './stable-values.ts';

/** Headers that examples show, in this order. */
const SHOWN_HEADERS = [
  'Location',
  'Link',
  'ETag',
  'X-Deployment-Token',
  'X-Generation-Id',
  'X-Generation-Status',
];

export interface RecordedResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the scenario knows the fields of its responses
  readonly body: any;
}

/** Sends requests to a service, and records those that are examples. */
export class Recorder {
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #variables = new Map<string, string>();
  readonly #aliases = new Map<string | number, string | number>();
  readonly #recorded = new Map<OperationName, Recording>();

  constructor(baseUrl: string, send = fetch) {
    this.#baseUrl = baseUrl;
    this.#fetch = send;
  }

  /** Sets the value of a variable in requests, such as `$KEY`. */
  define(variable: string, value: string): void {
    this.#variables.set(variable, value);
  }

  /** Replaces a recorded value in all examples. */
  alias(recorded: string | number, stable: string | number): void {
    this.#aliases.set(recorded, stable);
  }

  /** Sends a request as the example of an operation. */
  async record(name: OperationName, request: ExampleRequest): Promise<RecordedResponse> {
    const { status, headers, body } = await this.send(request);
    const shown = SHOWN_HEADERS.flatMap((header) => {
      const value = headers.get(header);
      return value === null ? [] : [[header, value] as const];
    });
    const type = headers.get('Content-Type');
    if (type?.startsWith('image/')) shown.unshift(['Content-Type', type]);
    const response = { status, headers: Object.fromEntries(shown), ...(body === undefined ? {} : { body }) };
    this.#recorded.set(name, { request, response });
    return { status, headers, body };
  }

  /** @throws Error for an error response */
  async send({ method, path, headers = {}, body, follow }: ExampleRequest): Promise<RecordedResponse> {
    const response = await this.#fetch(this.#baseUrl + path, {
      method,
      redirect: follow ? 'follow' : 'manual',
      headers: {
        ...(JSON.parse(this.#expand(JSON.stringify(headers))) as Record<string, string>),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? null : this.#expand(JSON.stringify(body)),
    });
    if (response.headers.get('Content-Type')?.startsWith('image/')) {
      await response.body?.cancel();
      return { status: response.status, headers: response.headers, body: undefined };
    }
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const { status } = response;
    return { status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Opens a page as a browser does. Not with `fetch`, which says that it does not navigate. */
  async visit(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    get(this.#baseUrl + path, { headers, agent: false }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    }).on('error', reject);
    await promise;
  }

  /** Returns the examples in the order of the contract, without values that differ from one recording to the next. */
  recordings(): Recordings {
    const entries = (Object.keys(OPERATIONS) as OperationName[]).map((name) => {
      const recorded = this.#recorded.get(name);
      if (!recorded) throw new Error(`No example of ${name} was recorded`);
      return [name, stableRecording(recorded, this.#aliases)] as const;
    });
    return Object.fromEntries(entries) as Recordings;
  }

  #expand(text: string): string {
    return text.replaceAll(/\$[A-Z]+/g, (variable) => this.#variables.get(variable) ?? variable);
  }
}
