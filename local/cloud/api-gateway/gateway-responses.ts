import type * as z from 'zod';
import type { HeaderList, HttpResponse } from '../http.ts';
import {
  declaredVariables,
  evaluate,
  fillIn,
  type Variables,
  variablesOf,
  withDefaultType,
} from './mapping.ts';
import type { GatewayResponseProperties } from './properties.ts';
import type { RequestContext } from './request-context.ts';

/**
 * API Gateway's own responses with their default status and message.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const DEFAULTS = {
  // For a SigV4 header that is incomplete or not one, which has no type.
  DEFAULT_4XX: { status: 403, message: 'Incomplete signature' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  THROTTLED: { status: 429, message: 'Too Many Requests' },
  ACCESS_DENIED: { status: 403, message: 'User is not authorized to access this resource' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  API_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  INTEGRATION_FAILURE: { status: 504, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  // Lambda's API rejected the invocation. AWS documents the status, but no type of its own.
  // https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway-errors.html
  INVOCATION_REJECTED: { status: 500, message: 'Internal server error' },
  // For an invalid response of an integration, which has no type.
  DEFAULT_5XX: { status: 502, message: 'Internal server error' },
} as const;

export type GatewayResponseType = keyof typeof DEFAULTS;

type Customization = z.output<typeof GatewayResponseProperties>;

/** The gateway responses of one API. */
export class GatewayResponses {
  private readonly byType: ReadonlyMap<string, Customization>;

  constructor(customizations: readonly Customization[]) {
    for (const { ResponseTemplates, ResponseParameters } of customizations) {
      // Finds unsupported expressions at start-up.
      if (ResponseTemplates) fillIn(ResponseTemplates['application/json'], DECLARED);
      for (const value of Object.entries(ResponseParameters)) parameter(value, DECLARED);
    }
    this.byType = new Map(customizations.map((one) => [one.ResponseType, one]));
  }

  /**
   * Returns the response of a type, as the template customizes it.
   * @param message by default, that of the type
   */
  response(
    type: GatewayResponseType,
    context: Pick<RequestContext, 'requestId' | 'authorizer'>,
    servedBy: string,
    message: string = DEFAULTS[type].message,
  ): HttpResponse {
    const { status } = DEFAULTS[type];
    const values = variablesOf(context, {
      'context.error.message': message,
      'context.error.messageString': JSON.stringify(message),
      'context.error.responseType': type,
    });
    const custom = this.customization(type, status);
    const template =
      custom?.ResponseTemplates?.['application/json'] ?? '{"message":$context.error.messageString}';
    const headers = Object.entries(custom?.ResponseParameters ?? {}).map((entry) => parameter(entry, values));
    return {
      status: custom?.StatusCode ?? status,
      headers: withDefaultType(headers),
      body: Buffer.from(fillIn(template, values)),
      servedBy,
    };
  }

  private customization(type: GatewayResponseType, status: number): Customization | undefined {
    // AWS ignores a custom 413 ("Amazon API Gateway important notes").
    if (type === 'REQUEST_TOO_LARGE') return undefined;
    return this.byType.get(type) ?? this.byType.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  }
}

const DECLARED = declaredVariables(true, [
  'context.error.message',
  'context.error.messageString',
  'context.error.responseType',
]);

function parameter([target, source]: [string, string], values: Variables): HeaderList[number] {
  const name = /^gatewayresponse\.header\.(.+)$/.exec(target)?.[1];
  const value = evaluate(source, values);
  if (name === undefined || value === undefined) {
    throw new Error(`The response parameter ${target}: ${source} of a gateway response is not supported`);
  }
  return [name, value];
}
