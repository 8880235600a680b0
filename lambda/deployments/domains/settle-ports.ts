import type { Clock } from '../../platform/clock.ts';
import type { Dns } from './dns.ts';
import type { DomainStore } from './domain-store.ts';
import type { Tenants } from './tenants.ts';

export interface SettlePorts {
  readonly domains: Pick<DomainStore, 'find' | 'note' | 'forget' | 'release'>;
  readonly tenants: Tenants;
  readonly dns: Pick<Dns, 'texts'>;
  readonly clock: Clock;
}

/** What a step leaves to do: nothing, or another step. */
export type Outcome = 'done' | 'again';
