import { payerOf } from '../../access/budgets.ts';
import type { Caller } from '../../access/callers.ts';
import { unauthorizedError } from '../../access/credential-errors.ts';
import type { Closures } from '../../access/stage-state.ts';
import type { ApiError } from '../../contract/errors.ts';
import type { ProviderName } from '../../contract/generate.ts';
import type { Clock } from '../../platform/clock.ts';
import { budgetSpentError, spentText } from '../budget-errors.ts';

export interface PayablePorts {
  readonly closures: Closures;
  /** The providers that the stage has. */
  readonly configured: readonly ProviderName[];
  /** Those of them that cost money. */
  readonly paid: readonly ProviderName[];
  readonly clock: Clock;
}

type GeneratingCaller = Pick<Caller, 'id' | 'credential'> | undefined;

/**
 * Returns the providers that the budgets of a caller pay for: all, or the free ones if its budget or that of the service is
 * closed. If there is none, `refusal` is the error to respond with.
 */
export async function payableProviders(
  caller: GeneratingCaller,
  { closures, configured, paid, clock }: PayablePorts,
): Promise<{ readonly providers: readonly ProviderName[]; readonly refusal?: ApiError }> {
  if (paid.length === 0) return { providers: configured };
  for (const scope of [payerOf(caller?.credential && caller.id), 'service']) {
    const until = await closures.closedUntil(`budget/${scope}`);
    if (until === undefined) continue;
    const providers = configured.filter((name) => !paid.includes(name));
    if (providers.length > 0) return { providers };
    return { providers, refusal: budgetSpentError(spentText(scope, until), until, clock()) };
  }
  return { providers: configured };
}

/** @throws ApiError unauthorized for a caller without a credential, unless the stage generates for those, too */
export function requireGenerator(caller: GeneratingCaller, anonymous: boolean): void {
  if (anonymous || caller?.credential) return;
  throw unauthorizedError(
    'This service generates for callers with an API key or an access token only: ask its operator for a key, and send it as Authorization: Bearer, or as X-API-Key',
  );
}
