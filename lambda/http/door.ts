import { throughDistribution } from '../access/viewer-address.ts';
import { ApiError } from '../contract/errors.ts';
import type { ApiMiddleware } from './middleware.ts';

export interface DoorPorts {
  /** Whether API Gateway's own address serves requests as well. */
  readonly apiGatewayDoor: boolean;
  readonly originSecret: string;
}

/**
 * Refuses requests that did not come through the distribution, before any other call: at API Gateway's own address, they would
 * pass what is in front of the distribution.
 */
export function door({ apiGatewayDoor, originSecret }: DoorPorts): ApiMiddleware {
  return {
    before: ({ event }) => {
      if (apiGatewayDoor || throughDistribution(event, originSecret)) return;
      throw new ApiError('forbidden', 'This address is internal: send requests to the URL of the service');
    },
  };
}
