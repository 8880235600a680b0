import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { type HeaderList, type HttpRequest, type HttpResponse, header } from '../http.ts';

/** A bucket behind an origin access control: CloudFront signs requests on behalf of the distribution. */
export class BucketOrigin {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor(client: S3Client, bucket: string, distributionArn: string, accountId: string) {
    this.client = client;
    this.bucket = bucket;
    // With these headers, AWS services name the resource that they act for: the aws:Source… keys of policies.
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { headers: Record<string, string> }).headers, {
          'x-amz-source-arn': distributionArn,
          'x-amz-source-account': accountId,
        });
        return next(args);
      },
      { step: 'build', name: 'source' },
    );
  }

  async handle(request: HttpRequest): Promise<HttpResponse> {
    const input = {
      Bucket: this.bucket,
      Key: decodeURIComponent(request.path.slice(1)),
      Range: header(request.headers, 'range'),
      IfNoneMatch: header(request.headers, 'if-none-match'),
    };
    try {
      if (request.method === 'HEAD') {
        const head = await this.client.send(new HeadObjectCommand(input));
        return { status: 200, headers: objectHeaders(head), body: Buffer.alloc(0), servedBy: 'S3' };
      }
      const object = await this.client.send(new GetObjectCommand(input));
      return {
        status: object.ContentRange ? 206 : 200,
        headers: objectHeaders(object),
        body: object.Body as Readable,
        servedBy: 'S3',
      };
    } catch (error) {
      if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode === undefined) throw error;
      return failure(error.$metadata.httpStatusCode, error, input.IfNoneMatch);
    }
  }
}

type Fields = Omit<GetObjectCommandOutput, 'Body' | '$metadata'>;

function objectHeaders(object: Fields): HeaderList {
  const fields: [string, string | number | undefined][] = [
    ['Content-Type', object.ContentType],
    ['Content-Length', object.ContentLength],
    ['Content-Range', object.ContentRange],
    ['Content-Encoding', object.ContentEncoding],
    ['Content-Disposition', object.ContentDisposition],
    ['Content-Language', object.ContentLanguage],
    ['Cache-Control', object.CacheControl],
    ['ETag', object.ETag],
    ['Last-Modified', object.LastModified?.toUTCString()],
    ['Accept-Ranges', object.AcceptRanges],
    ...Object.entries(object.Metadata ?? {}).map(([name, value]): [string, string] => [
      `x-amz-meta-${name}`,
      value,
    ]),
  ];
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
}

function failure(status: number, error: S3ServiceException, etag: string | undefined): HttpResponse {
  if (status === 304) {
    return { status, headers: etag ? [['ETag', etag]] : [], body: Buffer.alloc(0), servedBy: 'S3' };
  }
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${error.name}</Code></Error>`;
  return { status, headers: [['Content-Type', 'application/xml']], body: Buffer.from(xml), servedBy: 'S3' };
}
