import type { Clock } from '../../platform/clock.ts';
import type { startExecution as Start } from '../../platform/executions.ts';
import { publicDns } from './dns.ts';
import { runName } from './domain-run.ts';
import type { DomainStore } from './domain-store.ts';
import type { DomainPorts } from './manage-domains.ts';

/** Returns what the domains of a stage need; undefined if it has none. */
export function domainPorts(
  {
    DOMAINS_ARN: arn,
    DOMAIN_TARGET: target,
  }: Readonly<Record<'DOMAINS_ARN' | 'DOMAIN_TARGET', string | undefined>>,
  domains: DomainStore,
  startExecution: typeof Start,
  clock: Clock,
): DomainPorts | undefined {
  if (arn === undefined || target === undefined) return undefined;
  return {
    domains,
    dns: publicDns(),
    target,
    start: (run) => startExecution(arn, runName(run), run),
    clock,
  };
}
