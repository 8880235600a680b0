import { randomUUID } from 'node:crypto';
import { CloudFrontError, type EdgeSeconds, randomMs } from './invalidations.ts';
import type { OriginProperties } from './properties.ts';

/** The custom headers of an origin. */
export type OriginHeaders = OriginProperties['OriginCustomHeaders'];

interface Change {
  /** By the id of the origin. */
  readonly headers: ReadonlyMap<string, OriginHeaders>;
  /** When it takes effect at each edge, in Unix milliseconds. */
  readonly effects: readonly number[];
}

/** AWS deploys a change to all edges within minutes. Locally, nobody is to wait for that. */
const SECONDS: EdgeSeconds = { effect: [1, 8], completion: [8, 12] };

/** The headers that a distribution adds for its origins: an update takes effect at each edge at a time of its own. */
export class CustomHeaders {
  private readonly seconds: EdgeSeconds;
  private before: Change;
  private latest: Change;
  private deployedAt = 0;
  /** Identifies the configuration: an update names the one that it changes. */
  etag = newEtag();

  constructor(origins: readonly OriginProperties[], edges: number, seconds: EdgeSeconds = SECONDS) {
    this.seconds = seconds;
    const headers = new Map(origins.map(({ Id, OriginCustomHeaders }) => [Id, OriginCustomHeaders]));
    this.latest = { headers, effects: Array<number>(edges).fill(0) };
    this.before = this.latest;
  }

  get status(): 'Deployed' | 'InProgress' {
    return Date.now() < this.deployedAt ? 'InProgress' : 'Deployed';
  }

  /** Returns the headers of the configuration, which may not be in effect yet. */
  get configured(): ReadonlyMap<string, OriginHeaders> {
    return this.latest.headers;
  }

  /** Returns the headers that an edge adds for an origin. */
  at(edge: number, originId: string): OriginHeaders {
    const isLatest = (this.latest.effects[edge] ?? 0) <= Date.now();
    return (isLatest ? this.latest : this.before).headers.get(originId) ?? [];
  }

  /** @throws CloudFrontError unless `ifMatch` is the current ETag */
  update(headers: ReadonlyMap<string, OriginHeaders>, ifMatch: string | undefined): void {
    if (ifMatch === undefined)
      throw new CloudFrontError(400, 'InvalidIfMatchVersion', 'The If-Match version is missing');
    if (ifMatch !== this.etag)
      throw new CloudFrontError(412, 'PreconditionFailed', `The configuration is not ${ifMatch} any more`);
    const now = Date.now();
    const effects = this.latest.effects.map(() => now + randomMs(this.seconds.effect));
    this.before = this.latest;
    this.latest = { headers, effects };
    this.deployedAt = Math.max(now + randomMs(this.seconds.completion), ...effects);
    this.etag = newEtag();
  }
}

function newEtag(): string {
  return `E${randomUUID().replaceAll('-', '').slice(0, 13).toUpperCase()}`;
}
