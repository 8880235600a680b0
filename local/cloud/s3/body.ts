import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Error } from './call.ts';

type Headers = Readonly<Record<string, string>>;

/** An upload with verified checksums. */
export interface Upload {
  /** MD5, hexadecimal. */
  readonly md5: string;
  /** The `x-amz-checksum-*` headers. */
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

/** Verifies Content-MD5 and the checksums. @throws S3Error for an invalid upload */
export function readUpload(headers: Headers, body: Buffer): Upload {
  const payload = headers['x-amz-content-sha256'] ?? '';
  if (payload.startsWith('STREAMING-')) {
    const message = `The local cloud does not support ${payload}`;
    throw new S3Error('NotImplemented', message, { Header: 'x-amz-content-sha256' });
  }
  if (headers['transfer-encoding'] !== undefined)
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.');
  const md5 = createHash('md5').update(body).digest();
  const givenMd5 = headers['content-md5'];
  if (givenMd5 !== undefined) compare('Content-MD5', givenMd5, md5);

  const checksums: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith('x-amz-checksum-') || name === 'x-amz-checksum-mode') continue;
    const calculate = CHECKSUMS[name];
    if (!calculate) throw new S3Error('NotImplemented', `${name} is not supported locally`, { Header: name });
    compare(name, value, calculate(body));
    checksums[name] = value;
  }
  return { md5: md5.toString('hex'), checksums };
}

function compare(name: string, given: string, calculated: Buffer): void {
  const value = Buffer.from(given, 'base64');
  if (value.length !== calculated.length)
    throw new S3Error('InvalidDigest', `The ${name} you specified is not valid.`);
  if (timingSafeEqual(value, calculated)) return;
  throw new S3Error('BadDigest', `The ${name} you specified did not match what we received.`);
}
