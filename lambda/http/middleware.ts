import type { MiddlewareObj } from '@middy/core';
import type { Amounts, ApiRequest, ApiResponse } from './request.ts';

/** What middlewares pass on outside of request and response: middy's `internal`. */
export interface PipelineState {
  amounts?: Amounts | undefined;
}

export type ApiMiddleware = MiddlewareObj<ApiRequest, ApiResponse>;
