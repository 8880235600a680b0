import type { OriginSecrets } from '../access/origin-secrets.ts';
import type { ApiMiddleware } from './middleware.ts';

/** Notes on each request whether it came through our distribution, before its caller is identified. */
export function recognizeDistribution(originSecrets: Pick<OriginSecrets, 'areSentWith'>): ApiMiddleware {
  return {
    before: async ({ event }) => {
      // A CORS preflight has no caller: it is answered even if the table cannot be read.
      if (event.method !== 'OPTIONS') event.throughDistribution = await originSecrets.areSentWith(event);
    },
  };
}
