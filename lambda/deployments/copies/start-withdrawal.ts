import type { startExecution as Start } from '../../platform/executions.ts';
import { withdrawalName } from './withdrawal.ts';

/** Loads the client when it is needed: deploys are not to wait for it. */
export const startExecution: typeof Start = async (...start) =>
  (await import('../../platform/executions.ts')).startExecution(...start);

/** Returns the function that starts withdrawals, once for each deployment and time. @param arn of their state machine */
export const withdrawalStarter =
  (arn: string) =>
  (id: string, deletedAt: number, tenants: readonly string[]): Promise<void> =>
    startExecution(arn, withdrawalName({ id, deletedAt }), { id, deletedAt, tenants });
