import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ApiError } from '../aws-http.ts';
import { parseXml, toObject, type Written } from '../xml.ts';

/**
 * After how many seconds an invalidation or an update takes effect at an edge and is completed: each at random between
 * a minimum and a maximum.
 */
export interface EdgeSeconds {
  readonly effect: readonly [minimum: number, maximum: number];
  readonly completion: readonly [minimum: number, maximum: number];
}

/**
 * AWS names 5 and 25 seconds at P95.
 * https://aws.amazon.com/about-aws/whats-new/2026/04/cloudfront-invalidation-cache-tag/
 */
const LIKE_AWS: EdgeSeconds = { effect: [1, 5], completion: [5, 25] };

/** Items are paths (`/a/*`) or tags (`#tag`). */
interface InvalidationBatch {
  readonly callerReference: string;
  readonly items: readonly string[];
}

/** Times are Unix milliseconds. */
interface Invalidation extends InvalidationBatch {
  readonly id: string;
  readonly createdAt: number;
  readonly completedAt: number;
}

/**
 * Items in progress per distribution. Tags count as paths.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/InvalidationLimits.html
 */
const MAX_ITEMS = 3000;
const MAX_WILDCARDS = 15;

/** A visible path with `*` only at its end, or a tag of at most 256 visible characters without a comma. */
const ITEM = /^(\/[!-)+-~]*\*?|#[!-+\--~]{1,256})$/;

/** The invalidations of a distribution, kept until the local cloud stops. */
export class Invalidations {
  private readonly all: Invalidation[] = [];
  private readonly edges: readonly { invalidate(items: readonly string[], at: number): void }[];
  private readonly seconds: EdgeSeconds;

  constructor(
    edges: readonly { invalidate(items: readonly string[], at: number): void }[],
    seconds: EdgeSeconds = LIKE_AWS,
  ) {
    this.edges = edges;
    this.seconds = seconds;
  }

  /**
   * Starts an invalidation, or returns the earlier one with the same caller reference.
   * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_InvalidationBatch.html
   * @throws ApiError
   */
  create({ callerReference, items }: InvalidationBatch): Invalidation {
    const earlier = this.all.find((one) => one.callerReference === callerReference);
    if (earlier && earlier.items.join('\n') === items.join('\n')) return earlier;
    if (earlier) {
      const message = `The caller reference ${callerReference} was used for another batch: choose another one`;
      throw new ApiError(409, 'InvalidationBatchAlreadyExists', message);
    }
    this.validate(items);
    const createdAt = Date.now();
    const effects = this.edges.map((edge) => {
      const at = createdAt + randomMs(this.seconds.effect);
      edge.invalidate(items, at);
      return at;
    });
    const invalidation: Invalidation = {
      id: `I${randomUUID().replaceAll('-', '').slice(0, 13).toUpperCase()}`,
      callerReference,
      items,
      createdAt,
      completedAt: Math.max(createdAt + randomMs(this.seconds.completion), ...effects),
    };
    this.all.push(invalidation);
    return invalidation;
  }

  /** @throws ApiError when there is none with the id */
  find(id: string): Invalidation {
    const invalidation = this.all.find((one) => one.id === id);
    if (invalidation) return invalidation;
    throw new ApiError(404, 'NoSuchInvalidation', `The invalidation ${id} does not exist`);
  }

  private validate(items: readonly string[]): void {
    const invalid = items.find((item) => !ITEM.test(item));
    if (invalid !== undefined || items.length === 0) {
      const message = `Invalid invalidation item "${invalid ?? ''}": expected /path, /path* or #tag`;
      throw new ApiError(400, 'InvalidArgument', message);
    }
    const now = Date.now();
    const active = [...items, ...this.all.flatMap((one) => (one.completedAt > now ? one.items : []))];
    const wildcards = active.filter(isWildcard).length;
    if (wildcards > MAX_WILDCARDS || active.length - wildcards > MAX_ITEMS) {
      const message = `At most ${MAX_ITEMS} items and ${MAX_WILDCARDS} wildcards may be in progress: try again later`;
      throw new ApiError(400, 'TooManyInvalidationsInProgress', message);
    }
  }
}

function isWildcard(item: string): boolean {
  return item.startsWith('/') && item.endsWith('*');
}

/** Returns milliseconds between two numbers of seconds. */
export function randomMs([minimum, maximum]: readonly [number, number]): number {
  return (minimum + Math.random() * (maximum - minimum)) * 1000;
}

const Batch = z.strictObject({
  CallerReference: z.string().min(1),
  Paths: z.strictObject({ Quantity: z.coerce.number(), Items: z.array(z.string()).default([]) }),
});

/** Reads an invalidation batch. @throws ApiError */
export function readBatch(body: string): InvalidationBatch {
  const parsed = Batch.safeParse(toObject(parseXml(body)[1], ['Items']));
  if (!parsed.success) throw new ApiError(400, 'InvalidArgument', z.prettifyError(parsed.error));
  const { CallerReference: callerReference, Paths } = parsed.data;
  const { Quantity, Items: items } = Paths;
  if (Quantity === items.length) return { callerReference, items };
  const message = `The Quantity is ${Quantity}, but there are ${items.length} items`;
  throw new ApiError(400, 'InconsistentQuantities', message);
}

/** Returns an invalidation as the API describes it. */
export function describeInvalidation({ id, callerReference, items, createdAt, completedAt }: Invalidation): Written {
  const paths: Written[] = [
    ['Quantity', items.length],
    ['Items', items.map((item) => ['Path', item])],
  ];
  const batch: Written[] = [
    ['Paths', paths],
    ['CallerReference', callerReference],
  ];
  return [
    'Invalidation',
    [
      ['Id', id],
      ['Status', completedAt > Date.now() ? 'InProgress' : 'Completed'],
      ['CreateTime', new Date(createdAt).toISOString()],
      ['InvalidationBatch', batch],
    ],
  ];
}
