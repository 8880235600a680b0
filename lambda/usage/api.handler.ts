import { apiPorts } from '../http/api-ports.ts';
import { apiHandler } from '../http/pipeline.ts';
import { route } from '../http/router.ts';
import { usageResponse } from './usage-report.ts';

const ports = apiPorts();

/** What callers are told of themselves; and whatever no other capability has: a 404 that counts like any other call. */
export const handler = apiHandler(
  [
    route('getUsage', async ({ request, query }) => ({
      statusCode: 200,
      body: await usageResponse(request.caller, query, ports.usage, ports.clock),
    })),
  ],
  ports,
  { unreachable: 'unavailable' },
);
