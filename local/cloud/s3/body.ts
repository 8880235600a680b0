import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Error } from './call.ts';

type Headers = Readonly<Record<string, string>>;

/** A decoded upload with verified checksums. */
export interface Upload {
  readonly data: Buffer;
  /** MD5, hexadecimal. */
  readonly md5: string;
  /** The `x-amz-checksum-*` fields of the headers or the trailers. */
  readonly checksums: Headers;
}

const CHECKSUMS: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  'x-amz-checksum-crc32': (data) => {
    const value = Buffer.alloc(4);
    value.writeUInt32BE(crc32(data));
    return value;
  },
  'x-amz-checksum-sha256': (data) => createHash('sha256').update(data).digest(),
};

/** Decodes `aws-chunked` and verifies Content-MD5 and the checksums. @throws S3Error for an invalid upload */
export function readUpload(headers: Headers, body: Buffer): Upload {
  if (headers['transfer-encoding'] !== undefined && headers['x-amz-decoded-content-length'] === undefined) {
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.');
  }
  const { data, trailers } = decode(headers, body);
  const md5 = createHash('md5').update(data).digest();
  const givenMd5 = headers['content-md5'];
  if (givenMd5 !== undefined) compare('Content-MD5', givenMd5, md5);

  const checksums: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...headers, ...trailers })) {
    if (!name.startsWith('x-amz-checksum-') || name === 'x-amz-checksum-mode') continue;
    const calculate = CHECKSUMS[name];
    if (!calculate) throw new S3Error('NotImplemented', `${name} is not supported locally`, { Header: name });
    compare(name, value, calculate(data));
    checksums[name] = value;
  }
  return { data, md5: md5.toString('hex'), checksums };
}

function compare(name: string, given: string, calculated: Buffer): void {
  const value = Buffer.from(given, 'base64');
  if (value.length !== calculated.length)
    throw new S3Error('InvalidDigest', `The ${name} you specified is not valid.`);
  if (timingSafeEqual(value, calculated)) return;
  throw new S3Error('BadDigest', `The ${name} you specified did not match what we received.`);
}

/** See "Signature calculations for trailing headers" in the S3 API Reference. */
function decode(headers: Headers, body: Buffer): { data: Buffer; trailers: Headers } {
  const payload = headers['x-amz-content-sha256'] ?? '';
  if (!payload.startsWith('STREAMING-')) return { data: body, trailers: {} };
  if (payload !== 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') {
    const message = `The local cloud does not support ${payload}`;
    throw new S3Error('NotImplemented', message, { Header: 'x-amz-content-sha256' });
  }
  const { data, rest } = joinChunks(body);
  if (data.length !== Number(headers['x-amz-decoded-content-length'])) throw incomplete();
  const trailers = Object.fromEntries(
    rest
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.trim().toLowerCase(), value.join(':').trim()];
      }),
  );
  const announced = headers['x-amz-trailer'];
  if (announced !== undefined && trailers[announced] === undefined) throw incomplete();
  return { data, trailers };
}

function joinChunks(body: Buffer): { data: Buffer; rest: string } {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, Math.max(at, lineEnd)), 16);
    if (Number.isNaN(size)) throw incomplete();
    const start = lineEnd + 2;
    if (size === 0) return { data: Buffer.concat(chunks), rest: body.toString('latin1', start) };
    chunks.push(body.subarray(start, start + size));
    at = start + size + 2;
  }
}

function incomplete(): S3Error {
  return new S3Error('IncompleteBody', 'The request body does not match its headers.');
}
