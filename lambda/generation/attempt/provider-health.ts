import type { ProviderName } from '../../contract/generate.ts';
import type { AttemptOutcome } from '../../contract/responses/generate.ts';
import { log } from '../../platform/log.ts';
import type { CooldownStore } from '../cooldown-store.ts';
import type { Attempt, Generation } from '../generation.ts';

/** Outcomes after which a provider cools down. */
const COOLING: ReadonlySet<AttemptOutcome | undefined> = new Set<AttemptOutcome>([
  'overloaded',
  'credentials',
  'silent',
]);

/**
 * Notes whether the provider of an attempt can be used. Errors are only logged: a missing cool-down costs the next generation an attempt, but never this one its project.
 */
export async function coolDown(
  { id, failedLately }: Generation,
  { provider, outcome, retryAfterSeconds }: Attempt,
  cooldowns: CooldownStore,
): Promise<void> {
  const recovered = outcome === 'succeeded' && failedLately.includes(provider);
  const change = COOLING.has(outcome)
    ? cooldowns.add(provider, retryAfterSeconds)
    : recovered && cooldowns.clear(provider);
  await Promise.resolve(change).catch((error: unknown) =>
    log.error('cool-down not written', { generation: id, provider, error }),
  );
}

/** A pace that changed less is not worth a write. */
const NEW_PACE = 0.25;
/** Characters per second that no model reaches, but `blueprint`. */
const FASTEST_MODEL = 20_000;

/** Keeps how fast the providers write, for the instructions of later generations. Errors are only logged. */
export async function keepPaces(
  { id, paces = {} }: Generation,
  measured: ReadonlyMap<ProviderName, number>,
  cooldowns: CooldownStore,
): Promise<void> {
  for (const [provider, pace] of measured) {
    const known = paces[provider] ?? 0;
    if (pace > FASTEST_MODEL || Math.abs(pace - known) < known * NEW_PACE) continue;
    await cooldowns
      .keepPace(provider, Math.round(pace))
      .catch((error: unknown) => log.error('pace not written', { generation: id, provider, error }));
  }
}
