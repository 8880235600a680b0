import type { HttpRequest, HttpResponse } from '../http.ts';
import type { GatewayResponseType } from './gateway-responses.ts';
import type { RequestContext } from './request-context.ts';
import type { Match } from './routes.ts';

/** A request for a method. */
export interface MethodRequest {
  readonly request: HttpRequest;
  /** Without the stage. */
  readonly path: string;
  readonly body: Buffer;
  readonly match: Match<unknown>;
  readonly context: RequestContext;
}

/** The backend of a method. */
export interface Integration {
  /** @throws IntegrationError */
  respond(methodRequest: MethodRequest): Promise<HttpResponse>;
}

/** An integration failed, so API Gateway sends a gateway response. */
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
