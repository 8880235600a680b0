import { PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { type HttpResponse, header } from '../http.ts';
import type { Credentials } from '../roles.ts';
import { type Integration, IntegrationError, type MethodRequest } from './integration.ts';
import type { AwsIntegrationProperties, MethodProperties } from './properties.ts';
import { declaredVariables, evaluate, IntegrationResponses, variablesOf } from './responses.ts';

/** The S3 endpoint and the role of an integration. */
interface S3Access {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: Credentials;
}

/** Returns a value for the integration request, or undefined if the caller did not send the mapped header. */
type Source = (request: MethodRequest) => string | undefined;

/**
 * An `AWS` integration with PutObject: API Gateway writes the body of the request to a bucket, and the method's
 * integration responses map S3's response.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/integrating-api-with-aws-services-s3.html
 */
export class S3Integration implements Integration {
  private readonly bucket: string;
  /** With `{name}` for path parameters of the integration request. */
  private readonly key: string;
  private readonly path = new Map<string, Source>();
  private readonly headers = new Map<string, Source>();
  private readonly timeoutMs: number;
  private readonly responses: IntegrationResponses;
  private readonly client: S3Client;

  /** @param name name of the method, for errors */
  constructor(name: string, method: MethodProperties, integration: AwsIntegrationProperties, s3: S3Access) {
    const { Uri, RequestParameters, TimeoutInMillis } = integration;
    const [, bucket, key] = /^arn:[^:]+:apigateway:[^:]+:s3:path\/([^/{}]+)\/(.+)$/.exec(Uri) ?? [];
    if (bucket === undefined || key === undefined)
      throw new Error(`The integration URI ${Uri} of ${name} is not supported`);
    this.bucket = bucket;
    this.key = key;
    for (const [target, expression] of Object.entries(RequestParameters)) {
      const [, kind, parameter] = /^integration\.request\.(path|header)\.(.+)$/.exec(target) ?? [];
      const source = toSource(expression, method);
      if (parameter === undefined || source === undefined)
        throw new Error(`The request parameter ${target}: ${expression} of ${name} is not supported`);
      (kind === 'path' ? this.path : this.headers).set(parameter, source);
    }
    const placeholders = [...key.matchAll(/\{([^}]*)\}/g)].map(([, parameter]) => parameter);
    if (placeholders.sort().join() !== [...this.path.keys()].sort().join())
      throw new Error(`The path parameters of ${name} do not match its URI ${Uri}`);
    this.timeoutMs = TimeoutInMillis;
    this.responses = new IntegrationResponses(name, integration.IntegrationResponses, method);
    const { accessKeyId, principal } = s3.credentials;
    this.client = new S3Client({
      region: s3.region,
      endpoint: s3.endpoint,
      forcePathStyle: true,
      maxAttempts: 1,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      credentials: { accessKeyId, secretAccessKey: principal.secretAccessKey },
    });
  }

  /** @throws IntegrationError */
  async respond(methodRequest: MethodRequest): Promise<HttpResponse> {
    const status = await this.put(methodRequest);
    return this.responses.response(status, methodRequest.context, 'S3');
  }

  /** Stores the body. Returns the status of S3's response. */
  private async put(methodRequest: MethodRequest): Promise<number> {
    const Key = this.key.replace(/\{(.*?)\}/g, (_all, name) => this.path.get(name)?.(methodRequest) ?? '');
    const command = new PutObjectCommand({ Bucket: this.bucket, Key, Body: methodRequest.body });
    // Mapped headers replace those of the SDK.
    command.middlewareStack.add(
      (next) => (args) => {
        const { headers } = args.request as { headers: Record<string, string> };
        for (const [name, source] of this.headers) {
          const value = source(methodRequest);
          if (value !== undefined) headers[name.toLowerCase()] = value;
        }
        return next(args);
      },
      { step: 'build', name: 'mappedHeaders' },
    );
    const abortSignal = AbortSignal.timeout(this.timeoutMs);
    try {
      await this.client.send(command, { abortSignal });
      return 200;
    } catch (error) {
      if (error instanceof S3ServiceException && error.$response) return error.$response.statusCode;
      if (abortSignal.aborted)
        throw new IntegrationError('INTEGRATION_TIMEOUT', `S3 did not respond within ${this.timeoutMs} ms`);
      throw new IntegrationError('INTEGRATION_FAILURE', `S3 is unreachable: ${(error as Error).message}`);
    }
  }
}

/** Returns the source of a mapping expression, or undefined if it is unsupported or its header is not declared. */
function toSource(
  expression: string,
  { RequestParameters: declared, AuthorizerId }: MethodProperties,
): Source | undefined {
  const name = /^method\.request\.header\.(.+)$/.exec(expression)?.[1];
  if (name !== undefined) return expression in declared ? ({ request }) => header(request.headers, name) : undefined;
  const source: Source = ({ context }) => evaluate(expression, variablesOf(context));
  const known = declaredVariables(AuthorizerId !== undefined);
  return evaluate(expression, known) === undefined ? undefined : source;
}
