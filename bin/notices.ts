import { unpricedModels } from '../lib/budgets.ts';
import type { StageConfig } from '../lib/config.ts';
import { neededQuota, reservedTogether } from '../lib/config-sections.ts';
import type { AccountCapacity } from './account-capacity.ts';

/** The capacity of the account, or why it cannot be read. */
type KnownCapacity = AccountCapacity | Error;

/** Returns whether a stack reserves the concurrency of its configuration; if the capacity is not known, it does. */
export function reservesConcurrency({ concurrency }: StageConfig, capacity: KnownCapacity): boolean {
  return capacity instanceof Error || capacity.available >= neededQuota(concurrency);
}

/**
 * Says why the concurrency of a stage is a risk: the quota cannot be read, or it is too small, so that nothing is reserved. Then
 * it also says what breaks and what to request.
 */
export function capacityNotice(config: StageConfig, capacity: KnownCapacity): string {
  const { concurrency } = config;
  const reserved = reservedTogether(concurrency);
  const needed = neededQuota(concurrency);
  if (capacity instanceof Error)
    return (
      `Concurrency: the quota of the account cannot be read (${capacity.message}), so ${reserved} invocations are reserved as configured ` +
      `(concurrency). If less than ${needed} are available, the deploy fails with "UnreservedConcurrentExecution below its minimum value": ` +
      'deploy with a role that may call lambda:GetAccountSettings and cloudformation:GetTemplate.'
    );
  const { quota, available } = capacity;
  const others = available < quota ? `, of which others reserve ${quota - available}` : '';
  return [
    `Concurrency: at most ${quota} invocations at a time in this account and region${others}. The shares of the configuration ` +
      `(concurrency) need ${needed}, so nothing is reserved, and all functions share what there is.`,
    '  Until then: a generation takes one while it is written and another while its client waits, and visits and deploys take one each. ' +
      'Beyond the quota, requests to the API get a 503, visitors a 429, and generations wait a minute for their turn, then fail.',
    `  Request ${Math.max(1_000, quota - available + needed)}, which is free: aws service-quotas request-service-quota-increase ` +
      `--service-code lambda --quota-code L-B99A9384 --desired-value ${Math.max(1_000, quota - available + needed)}`,
  ].join('\n');
}

/**
 * Returns the warnings about a configuration that a deploy prints.
 * @param now Unix milliseconds, because list prices change
 */
export function warningsOf(config: StageConfig, now = Date.now()): string[] {
  const unpriced = unpricedModels(config, now).map(
    (model) =>
      `Warning: the price of ${model} is not known, so its cost is not shown, and budgets count it as the most expensive model ` +
      `of the price table. Set prices["${model}"].`,
  );
  return [...(config.siteDomain === undefined ? [SHARED_ORIGIN] : []), ...unpriced];
}

const SHARED_ORIGIN =
  'Warning: anyone can publish pages, and without siteDomain all of them share the origin of the service: they can attack each ' +
  'other, and browsers and mail filters that block one of them block the service. Set siteDomain to a domain that serves nothing else.';
