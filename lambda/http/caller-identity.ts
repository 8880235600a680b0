import type { Callers } from '../access/callers.ts';
import type { ApiMiddleware } from './pipeline.ts';

/** Finds out who calls. A credential that is not valid is refused later, once it has counted for the address. */
export function callerIdentity(callers: Callers): ApiMiddleware {
  return {
    before: async ({ event }) => {
      // A preflight carries no credential, and does not count.
      if (event.method === 'OPTIONS') return;
      const { caller, refusal } = await callers.identify(event);
      event.caller = caller;
      if (refusal) event.refusal = refusal;
    },
  };
}
