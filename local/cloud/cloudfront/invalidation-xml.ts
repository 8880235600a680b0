import { CloudFrontError, type Invalidation, type InvalidationBatch } from './invalidations.ts';
import { escapeXml, textsOf } from './xml.ts';

/** Reads an invalidation batch. @throws CloudFrontError */
export function readBatch(body: string): InvalidationBatch {
  const [callerReference = ''] = textsOf(body, 'CallerReference');
  const items = textsOf(body, 'Path');
  const [quantity] = textsOf(body, 'Quantity');
  if (callerReference === '') {
    throw new CloudFrontError(400, 'InvalidArgument', 'The batch has no CallerReference');
  }
  if (quantity !== String(items.length)) {
    const message = `The Quantity is ${quantity}, but there are ${items.length} items`;
    throw new CloudFrontError(400, 'InconsistentQuantities', message);
  }
  return { callerReference, items };
}

/** Returns an invalidation as the API describes it. */
export function describeInvalidation({
  id,
  callerReference,
  items,
  createdAt,
  completedAt,
}: Invalidation): string {
  const status = completedAt > Date.now() ? 'InProgress' : 'Completed';
  const paths = items.map((item) => `<Path>${escapeXml(item)}</Path>`).join('');
  return (
    `<Invalidation><Id>${id}</Id><Status>${status}</Status>` +
    `<CreateTime>${new Date(createdAt).toISOString()}</CreateTime>` +
    `<InvalidationBatch><Paths><Quantity>${items.length}</Quantity><Items>${paths}</Items></Paths>` +
    `<CallerReference>${escapeXml(callerReference)}</CallerReference></InvalidationBatch></Invalidation>`
  );
}
