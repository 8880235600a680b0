import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { ENV } from '../../platform/env.ts';
import { log } from '../../platform/log.ts';
import { lookName, type VersionLook } from './version-look.ts';

/** A start takes about 10 ms. A response does not wait longer for one that hangs. */
const PATIENCE_MS = 500;

/** Has versions looked at after they became live. */
export interface LookStarter {
  /** Why nothing is looked at, as a sentence; undefined if the stage looks. */
  readonly skipped: string | undefined;
  /** Starts a look, unless it has been started, and does not wait until it has ended. */
  readonly start: (look: VersionLook) => Promise<void>;
}

/** What a function that starts looks needs of its environment, for `readEnv`: `LOOK_SKIPPED`, or the other one. */
export const LOOK_STARTER_ENV = {
  [ENV.looksArn]: z.string().optional(),
  [ENV.lookSkipped]: z.string().optional(),
};

/** Returns the starter of a function. Its client is loaded by the first start. */
export function lookStarter({
  LOOKS_ARN: stateMachine,
  LOOK_SKIPPED,
}: z.output<z.ZodObject<typeof LOOK_STARTER_ENV>>): LookStarter {
  if (stateMachine === undefined || LOOK_SKIPPED !== undefined)
    return { skipped: LOOK_SKIPPED ?? 'This stage has no browser', start: async () => {} };
  return {
    skipped: undefined,
    start: async (look) => {
      const { startExecution } = await import('../../platform/executions.ts');
      await startExecution(stateMachine, lookName(look), look);
    },
  };
}

/**
 * Starts the look at a version that has become live, if it has a page. A failure is only logged, and a start that hangs is left
 * alone: the change is committed.
 * @param entry of the version
 */
export async function startLook(look: VersionLook, entry: string, looks: LookStarter): Promise<void> {
  if (entry === '' || looks.skipped !== undefined) return;
  const started = looks
    .start(look)
    .catch((error: unknown) => log.error('look not started', { deployment: look.id, error }));
  await Promise.race([started, sleep(PATIENCE_MS, undefined, { ref: false })]);
}
