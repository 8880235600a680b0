import { usdOf } from '../../contract/prices.ts';
import type { ProviderList } from '../../contract/responses/providers.ts';
import { type ConfiguredProviders, providerOrder } from '../provider-order.ts';
import type { ProviderHealth } from '../provider-store.ts';

/** Returns the body of `GET /api/v1/providers`. */
export function providerList(
  configured: ConfiguredProviders,
  health: ProviderHealth,
  now: number,
): ProviderList {
  const { routing, traits } = configured;
  const items = providerOrder('auto', configured, health, now).map((name) => {
    const { failures, firstTokenMs, firstFileMs, cost } = health.lately[name] ?? {};
    const { model = '', usualCost } = traits[name] ?? {};
    const microDollars = cost ?? usualCost;
    return {
      name,
      model: `${name}/${model}`,
      coolingUntil: health.cooling[name],
      failures: failures === undefined ? undefined : Math.round(failures * 100) / 100,
      firstTokenMs,
      firstFileMs,
      cost: microDollars === undefined ? undefined : usdOf(microDollars),
    };
  });
  return { routing, items };
}
