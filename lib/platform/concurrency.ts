import type { StageConfig } from '../config.ts';

/** The reserved concurrency of functions by their names in the configuration; one without a value shares what is left. */
export type Concurrency = Partial<StageConfig['concurrency']>;

/**
 * What Lambda keeps of an account's quota for functions without a reservation.
 * https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionConcurrency.html
 */
export const UNRESERVED = 100;

/** Returns the sum of all reservations. */
export function reservedTogether(concurrency: Concurrency): number {
  return Object.values(concurrency).reduce((sum, reserved) => sum + reserved, 0);
}

/** Returns the part of an account's quota that a stack needs to reserve the concurrency of its functions. */
export function neededQuota(concurrency: Concurrency): number {
  return reservedTogether(concurrency) + UNRESERVED;
}
