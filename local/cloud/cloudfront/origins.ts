import { S3Client } from '@aws-sdk/client-s3';
import type { RestApi } from '../api-gateway/rest-api.ts';
import { type HttpRequest, type HttpResponse, header, jsonResponse } from '../http.ts';
import type { Lambda } from '../lambda/lambda.ts';
import type { Credentials, Principals } from '../roles.ts';
import type { Resource, Stack } from '../template/stack.ts';
import { FunctionUrlOrigin } from './function-url-origin.ts';
import { OriginAccessControlProperties, type OriginProperties, UrlProperties } from './properties.ts';
import { BucketOrigin } from './s3-origin.ts';

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
      controls.map(({ ref, properties }) => [
        ref,
        properties.OriginAccessControlConfig.OriginAccessControlOriginType,
      ]),
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
