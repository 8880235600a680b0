import type { Clock } from '../platform/clock.ts';
import { CircuitBreaker } from '../platform/unreachable.ts';
import type { Deployment } from '../stored/deployment.ts';
import { RememberedPointers } from './remembered-pointers.ts';
import { SiteCache, type SiteStore } from './site-store.ts';
import type { VisitedStage } from './visit.ts';

/** How an instance reads storage. */
export interface GuardedReads extends Pick<VisitedStage, 'find' | 'load' | 'loadWith'> {
  /** Reads a deployment even if this instance remembers it. */
  readonly findDeployment: (id: string) => Promise<Deployment | undefined>;
  readonly look: SiteStore['look'];
}

/**
 * Returns the reads of one instance, which remembers what it has read, and waits less for storage that did not respond a moment ago.
 * @param edgeSeconds for how long it remembers a pointer
 */
export function guardedReads(
  store: Pick<SiteStore, 'find' | 'archive' | 'look'>,
  edgeSeconds: number,
  clock: Clock,
): GuardedReads {
  const dynamoDb = new CircuitBreaker(clock);
  const s3 = new CircuitBreaker(clock);
  const findDeployment = (id: string) => dynamoDb.read(() => store.find(id));
  const pointers = new RememberedPointers(findDeployment, edgeSeconds, clock);
  const sites = new SiteCache({ archive: (id, version) => s3.read(() => store.archive(id, version)) });
  return {
    findDeployment,
    find: (id, again) => pointers.find(id, again),
    load: (id, version, base) => sites.load(id, version, base),
    loadWith: (path, id, version, base) => sites.loadWith(path, id, version, base),
    look: (id, version) => s3.read(() => store.look(id, version)),
  };
}
