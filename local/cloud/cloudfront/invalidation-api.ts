import type { Principal } from '../account.ts';
import { type AwsReply, type AwsRequest, splitUrl } from '../aws-http.ts';
import { AccessDenied, authorize } from '../iam.ts';
import { verify } from '../sigv4.ts';
import type { Distributions } from './distributions.ts';
import { CloudFrontError, type Invalidation, type InvalidationBatch } from './invalidations.ts';

interface Plane {
  readonly region: string;
  readonly principals: Readonly<Record<string, Principal>>;
  readonly distributions: Distributions;
}

const PATH = /^\/2020-05-31\/distribution\/([^/]+)\/invalidation(?:\/([^/]+))?\/?$/;

/**
 * Returns the reply to CloudFront's CreateInvalidation or GetInvalidation.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CreateInvalidation.html
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_GetInvalidation.html
 */
export async function invalidationCall(plane: Plane, request: AwsRequest): Promise<AwsReply> {
  try {
    return await reply(plane, request);
  } catch (error) {
    if (error instanceof AccessDenied) return failure(403, 'AccessDenied', error.message);
    if (error instanceof CloudFrontError) return failure(error.status, error.code, error.message);
    throw error;
  }
}

async function reply({ region, principals, distributions }: Plane, request: AwsRequest): Promise<AwsReply> {
  const { path } = splitUrl(request.url);
  const [, id = '', invalidationId] = PATH.exec(path) ?? [];
  if (id === '' || request.method !== (invalidationId === undefined ? 'POST' : 'GET')) {
    console.log(`UnknownOperation ${request.method} ${path} is not supported by the local cloud`);
    const message = `The local cloud does not support ${request.method} ${path}`;
    throw new CloudFrontError(501, 'NotImplemented', message);
  }
  // The real endpoint requires us-east-1, but a client with a custom endpoint signs for its own region.
  const verified = await verify(request, { service: 'cloudfront', region }, principals);
  if ('failure' in verified) throw new CloudFrontError(403, verified.failure, verified.message);
  const action = `cloudfront:${invalidationId === undefined ? 'Create' : 'Get'}Invalidation`;
  authorize({ principal: verified.principal, action, resource: distributions.arn(id) });
  const invalidations = distributions.find(id)?.invalidations;
  if (invalidations === undefined) {
    throw new CloudFrontError(404, 'NoSuchDistribution', `The distribution ${id} does not exist`);
  }
  if (invalidationId !== undefined) return xml(200, describe(invalidations.find(invalidationId)));
  return xml(201, describe(invalidations.create(readBatch(request.body.toString()))));
}

function readBatch(body: string): InvalidationBatch {
  const texts = (name: string) =>
    [...body.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
      unescapeXml(text),
    );
  const [callerReference = ''] = texts('CallerReference');
  const items = texts('Path');
  const [quantity] = texts('Quantity');
  if (callerReference === '') {
    throw new CloudFrontError(400, 'InvalidArgument', 'The batch has no CallerReference');
  }
  if (quantity !== String(items.length)) {
    const message = `The Quantity is ${quantity}, but there are ${items.length} items`;
    throw new CloudFrontError(400, 'InconsistentQuantities', message);
  }
  return { callerReference, items };
}

function describe({ id, callerReference, items, createdAt, completedAt }: Invalidation): string {
  const status = completedAt > Date.now() ? 'InProgress' : 'Completed';
  const paths = items.map((item) => `<Path>${escapeXml(item)}</Path>`).join('');
  return (
    `<Invalidation><Id>${id}</Id><Status>${status}</Status>` +
    `<CreateTime>${new Date(createdAt).toISOString()}</CreateTime>` +
    `<InvalidationBatch><Paths><Quantity>${items.length}</Quantity><Items>${paths}</Items></Paths>` +
    `<CallerReference>${escapeXml(callerReference)}</CallerReference></InvalidationBatch></Invalidation>`
  );
}

function failure(status: number, code: string, message: string): AwsReply {
  const error = `<Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message>`;
  return xml(status, `<ErrorResponse><Error>${error}</Error></ErrorResponse>`);
}

function xml(status: number, body: string): AwsReply {
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescapeXml(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_all, name: string) => entities[name] ?? '');
}
