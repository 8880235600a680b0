import type { OriginSecrets } from '../access/origin-secrets.ts';
import { ApiError } from '../contract/errors.ts';
import type { ApiMiddleware } from './middleware.ts';

export interface DoorPorts {
  /** Whether API Gateway's own address serves requests as well. */
  readonly apiGatewayDoor: boolean;
  readonly originSecrets: Pick<OriginSecrets, 'areSentWith'>;
}

/**
 * Notes on each request whether it came through the distribution, and refuses others before any other call: at API Gateway's own
 * address, they would pass what is in front of the distribution.
 */
export function door({ apiGatewayDoor, originSecrets }: DoorPorts): ApiMiddleware {
  return {
    before: async ({ event }) => {
      event.throughDistribution = await originSecrets.areSentWith(event);
      if (apiGatewayDoor || event.throughDistribution) return;
      throw new ApiError('forbidden', 'This address is internal: send requests to the URL of the service');
    },
  };
}
