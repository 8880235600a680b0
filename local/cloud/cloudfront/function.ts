import { randomUUID } from 'node:crypto';
import vm from 'node:vm';
import * as z from 'zod';
import { type HeaderList, type HttpRequest, type HttpResponse, header, valuesByName, withoutHeaders } from '../http.ts';

/**
 * Limit of processor time, for endless loops only: CloudFront's limit of about a millisecond cannot be measured here.
 */
const COMPUTE_MS = 1000;

/** `servedBy` of the responses of viewer-request functions. */
export const BY_FUNCTION = 'CloudFront function';

/** Header fields that a viewer-request function can read but not change. */
const READ_ONLY = ['content-length', 'host', 'transfer-encoding', 'via'];

const Field = z.strictObject({
  value: z.string(),
  attributes: z.string().optional(),
  multiValue: z.array(z.object({ value: z.string() })).optional(),
});
const Fields = z.record(z.string(), Field);

const RequestResult = z.object({
  method: z.string(),
  uri: z.string(),
  querystring: Fields,
  headers: Fields,
  cookies: Fields,
});

/** Header fields that a viewer-response function can read but not change. */
const READ_ONLY_IN_RESPONSES = ['content-encoding', 'content-length', 'transfer-encoding', 'via', 'warning'];

const HeadersResult = z.object({ statusCode: z.number(), headers: Fields });

const ResponseResult = z.object({
  statusCode: z.number().int(),
  headers: Fields.default({}),
  cookies: Fields.default({}),
  body: z
    .union([
      z.string().transform((text) => Buffer.from(text)),
      z
        .object({ encoding: z.enum(['text', 'base64']), data: z.string() })
        .transform(({ encoding, data }) => Buffer.from(data, encoding === 'text' ? 'utf8' : 'base64')),
    ])
    .default(Buffer.alloc(0)),
});

/** The function failed or returned a value that CloudFront rejects. */
export class FunctionFailure extends Error {
  override readonly name = 'FunctionFailure';
  readonly status: 502 | 503;

  constructor(status: 502 | 503, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * A CloudFront function for viewer requests or responses, with the event structure of runtime 2.0 and without Node.js
 * APIs.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
 */
export class CloudFrontFunction {
  private readonly context: vm.Context;
  private readonly script = new vm.Script('run()');

  constructor(name: string, code: string, log: (line: string) => void) {
    const print = (...values: unknown[]) => log(values.map(String).join(' '));
    this.context = vm.createContext(
      { console: { log: print, error: print, warn: print, info: print } },
      { name, codeGeneration: { strings: false, wasm: false } },
    );
    withinComputeTime((timeout) => vm.runInContext(code, this.context, { timeout, filename: name }));
    vm.runInContext(
      `async function run() {
        const parsed = JSON.parse(event);
        parsed.request.rawQueryString = () => rawQuery;
        return JSON.stringify(await handler(parsed));
      }`,
      this.context,
    );
  }

  /** Returns the changed request or the response of the function. @throws FunctionFailure */
  async onViewerRequest(
    request: HttpRequest,
    distribution: { distributionDomainName: string; distributionId: string },
  ): Promise<{ request: HttpRequest } | { response: HttpResponse }> {
    const before = toEvent(request);
    const event = {
      version: '1.0',
      context: { ...distribution, eventType: 'viewer-request', requestId: randomUUID() },
      viewer: { ip: request.peerIp },
      request: before,
      response: {},
    };
    const result = await this.run(JSON.stringify(event), request.query);
    if (typeof result === 'object' && result !== null && 'statusCode' in result) {
      return { response: toResponse(parse(ResponseResult, result)) };
    }
    return { request: toRequest(request, before, parse(RequestResult, result)) };
  }

  /**
   * Returns the headers of the response as the function changes them. The local cloud does not support other changes.
   * @throws FunctionFailure
   */
  async onViewerResponse(
    request: HttpRequest,
    { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
    distribution: { distributionDomainName: string; distributionId: string },
  ): Promise<HeaderList> {
    const cookies = headers.filter(([name]) => name.toLowerCase() === 'set-cookie');
    const before = toFields(withoutHeaders(headers, ['set-cookie']));
    const event = {
      version: '1.0',
      context: { ...distribution, eventType: 'viewer-response', requestId: randomUUID() },
      viewer: { ip: request.peerIp },
      request: toEvent(request),
      response: { statusCode: status, statusDescription: '', headers: before, cookies: {} },
    };
    const after = parse(HeadersResult, await this.run(JSON.stringify(event), request.query));
    for (const name of READ_ONLY_IN_RESPONSES) {
      if (before[name]?.value !== after.headers[name]?.value)
        throw new FunctionFailure(502, `the CloudFront function changed the read-only header ${name}`);
    }
    if (after.statusCode !== status)
      throw new FunctionFailure(502, 'the local cloud does not support a function that changes the status');
    return [...fromFields(after.headers), ...cookies];
  }

  private async run(event: string, rawQuery: string): Promise<unknown> {
    this.context.event = event;
    // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/general-helper-methods.html#raw-query-string-method
    this.context.rawQuery = rawQuery;
    try {
      const json: string = await withinComputeTime((timeout) => this.script.runInContext(this.context, { timeout }));
      return JSON.parse(json ?? 'null');
    } catch (error) {
      throw new FunctionFailure(503, `the CloudFront function failed: ${(error as Error).message}`);
    }
  }
}

/**
 * Runs a script without side effects. The timeout of `vm` is wall-clock time, so on a busy machine it can end a script
 * that has hardly run. Such a script runs again.
 */
function withinComputeTime<Result>(run: (timeoutMs: number) => Result): Result {
  const begin = process.threadCpuUsage();
  for (let left = COMPUTE_MS; ; ) {
    try {
      return run(left);
    } catch (error) {
      const { user, system } = process.threadCpuUsage(begin);
      left = Math.ceil(COMPUTE_MS - (user + system) / 1000);
      const timedOut = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      if (!timedOut || left <= 0) throw error;
    }
  }
}

type EventRequest = z.output<typeof RequestResult>;

function toEvent(request: HttpRequest): EventRequest {
  const cookies = request.headers
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split(/;\s*/))
    .map((pair) => splitPair(pair));
  const headers = toFields(withoutHeaders(request.headers, ['cookie']));
  const host = headers.host && { host: { value: withoutPort(headers.host.value) } };
  return {
    method: request.method,
    uri: request.path,
    querystring: toFields(request.query.split('&').filter(Boolean).map(splitPair)),
    headers: { ...headers, ...host },
    cookies: toFields(cookies),
  };
}

function toRequest(request: HttpRequest, before: EventRequest, after: EventRequest): HttpRequest {
  for (const name of READ_ONLY) {
    if (before.headers[name]?.value !== after.headers[name]?.value) {
      throw new FunctionFailure(502, `the CloudFront function changed the read-only header ${name}`);
    }
  }
  if (after.method !== before.method) {
    throw new FunctionFailure(502, 'the CloudFront function changed the read-only method');
  }
  const query = fromFields(after.querystring).map(([name, value]) => (value === '' ? name : `${name}=${value}`));
  const same = JSON.stringify(before.querystring) === JSON.stringify(after.querystring);
  const host = header(request.headers, 'host');
  const headers = { ...after.headers, ...(host !== undefined && { host: { value: host } }) };
  const cookie = fromFields(after.cookies).map(([name, value]) => `${name}=${value}`);
  return {
    ...request,
    path: after.uri,
    query: same ? request.query : query.join('&'),
    headers: [...fromFields(headers), ...(cookie.length > 0 ? [['cookie', cookie.join('; ')] as const] : [])],
  };
}

function toResponse(result: z.output<typeof ResponseResult>): HttpResponse {
  const cookies = Object.entries(result.cookies).map(
    ([name, { value, attributes }]) =>
      ['set-cookie', `${name}=${value}${attributes ? `; ${attributes}` : ''}`] as const,
  );
  return {
    status: result.statusCode,
    headers: [...fromFields(result.headers), ...cookies],
    body: result.body,
    servedBy: BY_FUNCTION,
  };
}

function toFields(entries: HeaderList): Record<string, z.output<typeof Field>> {
  const named = entries.map(([name, value]) => [name.toLowerCase(), value] as const);
  const fields = Object.entries(valuesByName(named)).map(([name, values]) => {
    const [value = ''] = values;
    return [name, values.length > 1 ? { value, multiValue: values.map((one) => ({ value: one })) } : { value }];
  });
  return Object.fromEntries(fields);
}

function fromFields(fields: Readonly<Record<string, z.output<typeof Field>>>): HeaderList {
  return Object.entries(fields).flatMap(([name, { value, multiValue }]) =>
    (multiValue ?? [{ value }]).map((one) => [name, one.value] as const),
  );
}

function splitPair(pair: string): [string, string] {
  const mark = pair.indexOf('=');
  return mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new FunctionFailure(502, `the CloudFront function returned an invalid value: ${z.prettifyError(result.error)}`);
}

/** Returns the name in a `Host` field (RFC 9110, 7.2). Unlike on AWS, local requests have a port there. */
export function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}
