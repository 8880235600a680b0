import { payerOf } from '../../access/budgets.ts';
import type { Caller } from '../../access/callers.ts';
import { unauthorizedError } from '../../access/credential-errors.ts';
import type { Closures } from '../../access/stage-state.ts';
import type { Clock } from '../../platform/clock.ts';
import { budgetSpentError, spentText } from '../budget-errors.ts';
import type { ConfiguredProviders } from '../provider-order.ts';

export interface PayablePorts {
  readonly closures: Closures;
  readonly configured: ConfiguredProviders;
  readonly clock: Clock;
}

type GeneratingCaller = Pick<Caller, 'id' | 'credential'> | undefined;

/**
 * Returns the providers that the budgets of a caller pay for: all, or the free ones if its budget or that of the service is
 * closed. Costs nothing on a stage whose providers are free.
 * @throws ApiError budget_spent if there is none
 */
export async function payableProviders(
  caller: GeneratingCaller,
  { closures, configured, clock }: PayablePorts,
): Promise<ConfiguredProviders> {
  const free = configured.names.filter((name) => configured.traits[name]?.isFree);
  if (free.length === configured.names.length) return configured;
  for (const scope of [payerOf(caller?.credential && caller.id), 'service']) {
    const until = await closures.closedUntil(`budget/${scope}`);
    if (until === undefined) continue;
    if (free.length === 0) throw budgetSpentError(spentText(scope, until), until, clock());
    return { ...configured, names: free };
  }
  return configured;
}

/** @throws ApiError unauthorized for a caller without a credential, unless the stage generates for those, too */
export function requireGenerator(caller: GeneratingCaller, anonymous: boolean): void {
  if (anonymous || caller?.credential) return;
  throw unauthorizedError(
    'This service generates for callers with an API key or an access token only: ask its operator for a key, and send it as Authorization: Bearer, or as X-API-Key',
  );
}
