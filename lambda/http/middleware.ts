import type { MiddlewareObj } from '@middy/core';
import type { Amounts, ApiRequest, ApiResponse } from './request.ts';

/** State that middlewares share outside of request and response: middy's `internal`. */
export interface PipelineState {
  amounts?: Amounts | undefined;
}

export type ApiMiddleware = MiddlewareObj<ApiRequest, ApiResponse>;
