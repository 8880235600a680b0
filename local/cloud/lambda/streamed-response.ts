import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { HeaderList } from '../http.ts';

/** The function did not return a valid HTTP response. */
export class MalformedResponse extends Error {
  override readonly name: string = 'MalformedResponse';
}

/** The stream ended without a byte, so status and headers were never sent. */
export class EmptyStream extends MalformedResponse {
  override readonly name = 'EmptyStream';
}

const Fields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

/** Header fields of a function's response, single and repeated. */
export const ResponseFields = {
  headers: Fields.nullish(),
  multiValueHeaders: z.record(z.string(), z.array(z.string())).nullish(),
};

const Prelude = z.strictObject({
  statusCode: z.coerce.number().int().default(200),
  cookies: z.array(z.string()).nullish(),
  ...ResponseFields,
});

const DELIMITER = Buffer.alloc(8);
const PRELUDE_LIMIT = 64 * 1024;

/**
 * Parses the output of a streaming function: the status and the headers as JSON, eight NUL bytes, the body.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
 * @throws EmptyStream, MalformedResponse, or the error of the stream before the body
 */
export async function readStreamedResponse(
  stream: Readable,
): Promise<{ status: number; headers: HeaderList; body: Readable }> {
  const { prelude, rest } = await readPrelude(stream);
  if (rest.length > 0) stream.unshift(rest);
  const { statusCode, cookies, ...fields } = prelude;
  const setCookie = (cookies ?? []).map((cookie) => ['set-cookie', cookie] as const);
  return { status: statusCode, headers: [...headerList(fields), ...setCookie], body: stream };
}

/** Returns both maps as one list. For a name in both, the repeated values win. */
export function headerList({ headers, multiValueHeaders }: z.output<z.ZodObject<typeof ResponseFields>>): HeaderList {
  const repeated = Object.entries(multiValueHeaders ?? {});
  const names = new Set(repeated.map(([name]) => name.toLowerCase()));
  return [
    ...Object.entries(headers ?? {}).filter(([name]) => !names.has(name.toLowerCase())),
    ...repeated.flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  ];
}

async function readPrelude(stream: Readable): Promise<{ prelude: z.output<typeof Prelude>; rest: Buffer }> {
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(DELIMITER);
    if (end >= 0) {
      return { prelude: parse(head.subarray(0, end)), rest: head.subarray(end + DELIMITER.length) };
    }
    if (head.length > PRELUDE_LIMIT) break;
  }
  if (head.length === 0) throw new EmptyStream('the function ended its stream without a write');
  throw new MalformedResponse('the stream has no metadata followed by eight NUL bytes');
}

function parse(json: Buffer): z.output<typeof Prelude> {
  try {
    return Prelude.parse(JSON.parse(json.toString()));
  } catch (error) {
    throw new MalformedResponse(`the metadata of the stream is malformed: ${(error as Error).message}`);
  }
}
