import type { HttpRequest, HttpResponse } from '../http.ts';
import type { GatewayResponseType } from './gateway-responses.ts';
import type { RequestContext } from './request-context.ts';
import type { Match } from './routes.ts';

/** A request for a method, as its integration gets it. */
export interface MethodRequest {
  readonly request: HttpRequest;
  /** Without the stage. */
  readonly path: string;
  readonly body: Buffer;
  readonly match: Match<unknown>;
  readonly context: RequestContext;
}

/** Where a method gets its answers. */
export interface Integration {
  /** @throws IntegrationError */
  respond(methodRequest: MethodRequest): Promise<HttpResponse>;
}

/** The integration did not lead to an answer; API Gateway gives one of its own. */
export class IntegrationError extends Error {
  readonly type: GatewayResponseType;
  /** The context of the authorizer that denied the request. */
  readonly authorizer: RequestContext['authorizer'];

  constructor(type: GatewayResponseType, message: string, authorizer?: RequestContext['authorizer']) {
    super(message);
    this.type = type;
    this.authorizer = authorizer;
  }
}
