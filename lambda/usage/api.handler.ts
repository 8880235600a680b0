import { apiAccess } from '../http/api-access.ts';
import { apiHandler } from '../http/pipeline.ts';
import { route } from '../http/router.ts';
import { usageResponse } from './usage-report.ts';

const ports = apiAccess();

/** Usage reports, and every path that no other function serves: the 404 counts like any call. */
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
