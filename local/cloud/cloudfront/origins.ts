import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { RestApi } from '../api-gateway/rest-api.ts';
import { type HeaderList, type HttpRequest, type HttpResponse, header, jsonResponse } from '../http.ts';
import type { Lambda } from '../lambda/lambda.ts';
import type { Credentials, Principals } from '../roles.ts';
import type { Resource, Stack } from '../template/stack.ts';
import { FunctionUrlOrigin } from './function-url-origin.ts';
import { OriginAccessControlProperties, type OriginProperties, UrlProperties } from './properties.ts';

/** The origin of a distribution. A rejected promise means that it is unreachable. */
export interface Origin {
  handle(request: HttpRequest): Promise<HttpResponse>;
}

/** The services behind the host names of the template. */
export interface Services {
  readonly apis: ReadonlyMap<string, RestApi>;
  readonly lambda: Lambda;
  readonly principals: Principals;
  /** URL of the S3 endpoint. */
  readonly s3Endpoint: string;
}

/** Finds origins of the template by domain name. */
export class Origins {
  private readonly stack: Stack;
  private readonly services: Services;
  private readonly caller: Credentials;
  private readonly urls: readonly Resource<UrlProperties>[];
  private readonly accessControls: ReadonlyMap<string, string>;

  constructor(stack: Stack, services: Services) {
    this.stack = stack;
    this.services = services;
    this.caller = services.principals.get('cloudfront.amazonaws.com');
    this.urls = stack.all('AWS::Lambda::Url', UrlProperties);
    const controls = stack.all('AWS::CloudFront::OriginAccessControl', OriginAccessControlProperties);
    this.accessControls = new Map(
      controls.map(({ ref, properties }) => [ref, properties.OriginAccessControlConfig.OriginAccessControlOriginType]),
    );
  }

  find(origin: OriginProperties, distributionArn: string): Origin {
    const { DomainName: domain, Id: id } = origin;
    return (
      this.api(domain) ??
      this.functionUrl(origin, distributionArn) ??
      this.bucket(origin, distributionArn) ??
      throwUnknownOrigin(id, domain)
    );
  }

  private api(domain: string): Origin | undefined {
    const apiId = /^([^.]+)\.execute-api\./.exec(domain)?.[1];
    const api = apiId === undefined ? undefined : this.services.apis.get(apiId);
    return (
      api && {
        handle: (request) => (isAddressedTo(request, domain) ? api.handle(request) : forbiddenResponse()),
      }
    );
  }

  private functionUrl(origin: OriginProperties, distributionArn: string): Origin | undefined {
    const { DomainName: domain } = origin;
    const url = this.urls.find((one) => one.attribute('FunctionUrl') === `https://${domain}/`);
    if (url === undefined) return undefined;
    this.requireAccessControl(origin, 'lambda');
    const target = new FunctionUrlOrigin({
      functionArn: url.attribute('FunctionArn'),
      invokeMode: url.properties.InvokeMode,
      domain,
      lambda: this.services.lambda,
      credentials: this.caller,
      distributionArn,
      accountId: this.stack.target.accountId,
    });
    return {
      handle: (request) => (isAddressedTo(request, domain) ? target.handle(request) : forbiddenResponse()),
    };
  }

  private bucket(origin: OriginProperties, distributionArn: string): Origin | undefined {
    const { region, accountId } = this.stack.target;
    const bucket = /^(.+)\.s3\.([^.]+\.)?amazonaws\.com$/.exec(origin.DomainName)?.[1];
    if (bucket === undefined) return undefined;
    this.requireAccessControl(origin, 's3');
    const { accessKeyId, principal } = this.caller;
    const client = new S3Client({
      region,
      endpoint: this.services.s3Endpoint,
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId, secretAccessKey: principal.secretAccessKey },
    });
    return new BucketOrigin(client, bucket, distributionArn, accountId);
  }

  private requireAccessControl({ Id, OriginAccessControlId }: OriginProperties, type: 's3' | 'lambda'): void {
    if (this.accessControls.get(OriginAccessControlId ?? '') === type) return;
    throw new Error(`The origin ${Id} needs an origin access control of type ${type}`);
  }
}

function throwUnknownOrigin(id: string, domain: string): never {
  throw new Error(`The origin ${id} (${domain}) is not in the template`);
}

/** Reports whether the `Host` is the endpoint's own: regional endpoints reject others, such as the viewer's. */
function isAddressedTo(request: HttpRequest, domain: string): boolean {
  return header(request.headers, 'host') === domain;
}

async function forbiddenResponse(): Promise<HttpResponse> {
  return jsonResponse(403, { message: 'Forbidden' }, 'API Gateway');
}

/** A bucket behind an origin access control: CloudFront signs requests on behalf of the distribution. */
class BucketOrigin {
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
    ...Object.entries(object.Metadata ?? {}).map(([name, value]): [string, string] => [`x-amz-meta-${name}`, value]),
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
