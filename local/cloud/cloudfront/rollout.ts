import { randomUUID } from 'node:crypto';
import { CloudFrontError, type EdgeSeconds, randomMs } from './invalidations.ts';

interface Change<T> {
  readonly value: T;
  /** When it takes effect at each edge, in Unix milliseconds. */
  readonly effects: readonly number[];
}

/** AWS deploys a change to all edges within minutes. Locally, nobody is to wait for that. */
const SECONDS: EdgeSeconds = { effect: [1, 8], completion: [8, 12] };

/** A configuration with an ETag: an update takes effect at each edge at a time of its own. */
export class Rollout<T> {
  private readonly seconds: EdgeSeconds;
  private before: Change<T>;
  private latest: Change<T>;
  private deployedAt = 0;
  /** Identifies the configuration: an update names the one that it changes. */
  etag = newEtag();

  /** @param value in effect at all edges */
  constructor(value: T, edges: number, seconds: EdgeSeconds = SECONDS) {
    this.seconds = seconds;
    this.latest = { value, effects: Array<number>(edges).fill(0) };
    this.before = this.latest;
  }

  get status(): 'Deployed' | 'InProgress' {
    return Date.now() < this.deployedAt ? 'InProgress' : 'Deployed';
  }

  /** The configuration, which may not be in effect yet. */
  get configured(): T {
    return this.latest.value;
  }

  /** Returns what is in effect at an edge. */
  at(edge: number): T {
    const isLatest = (this.latest.effects[edge] ?? 0) <= Date.now();
    return (isLatest ? this.latest : this.before).value;
  }

  /** @throws CloudFrontError unless `ifMatch` is the current ETag */
  update(value: T, ifMatch: string | undefined): void {
    this.requireMatch(ifMatch);
    this.change(value);
  }

  /** Changes the configuration whatever its ETag is. */
  change(value: T): void {
    const now = Date.now();
    const effects = this.latest.effects.map(() => now + randomMs(this.seconds.effect));
    this.before = this.latest;
    this.latest = { value, effects };
    this.deployedAt = Math.max(now + randomMs(this.seconds.completion), ...effects);
    this.etag = newEtag();
  }

  /** @throws CloudFrontError unless `ifMatch` is the current ETag */
  requireMatch(ifMatch: string | undefined): void {
    if (ifMatch === undefined)
      throw new CloudFrontError(400, 'InvalidIfMatchVersion', 'The If-Match version is missing');
    if (ifMatch !== this.etag)
      throw new CloudFrontError(412, 'PreconditionFailed', `The configuration is not ${ifMatch} any more`);
  }
}

function newEtag(): string {
  return `E${randomUUID().replaceAll('-', '').slice(0, 13).toUpperCase()}`;
}
