import middy from '@middy/core';
import * as z from 'zod';
import { accessLog } from '../http/access-log.ts';
import { errorMapper } from '../http/error-mapper.ts';
import { bufferedBody, proxyEvent } from '../http/proxy-event.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { responseHeaders } from '../http/response-headers.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { mcpResponse } from './http.ts';

const { API_URL, ORIGIN_SECRET } = readEnv({ [ENV.apiUrl]: z.string(), [ENV.originSecret]: z.string() });

/** Responds at `/mcp`. The API, which this function calls, identifies callers and counts their requests. */
export const handler = middy<ApiRequest, ApiResponse>()
  .use(proxyEvent(bufferedBody, async () => {}))
  .use(accessLog(Date.now))
  .use(responseHeaders())
  .use(errorMapper('unavailable'))
  .handler((request) => mcpResponse(request, API_URL, ORIGIN_SECRET));
