import type { MiddlewareObj } from '@middy/core';
import type { ApiRequest, ApiResponse } from './request.ts';

/** State that middlewares share outside of request and response: middy's `internal`. */
export interface PipelineState {
  /** Does what remains to be done for the request, once. */
  finish?: () => Promise<void>;
}

export type ApiMiddleware = MiddlewareObj<ApiRequest, ApiResponse>;
