import type * as z from 'zod';
import { type HeaderList, type HttpResponse, header } from '../http.ts';
import type { GatewayResponseProperties } from './properties.ts';

/**
 * Answers that API Gateway gives by itself, with their default status and message.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const DEFAULTS = {
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  API_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  INTEGRATION_FAILURE: { status: 504, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  // No response type of its own: an integration whose answer is not understood.
  DEFAULT_5XX: { status: 502, message: 'Internal server error' },
} as const;

export type GatewayResponseType = keyof typeof DEFAULTS;

type Customization = z.output<typeof GatewayResponseProperties>;

/** The gateway responses of one API. */
export class GatewayResponses {
  private readonly byType: ReadonlyMap<string, Customization>;

  constructor(customizations: readonly Customization[]) {
    for (const { ResponseTemplates, ResponseParameters } of customizations) {
      // A trial run, so that what is not known is found at start.
      if (ResponseTemplates) render(ResponseTemplates['application/json'], SAMPLE);
      for (const value of Object.entries(ResponseParameters)) parameter(value, SAMPLE);
    }
    this.byType = new Map(customizations.map((one) => [one.ResponseType, one]));
  }

  /** The answer of this type, as the template words it. */
  answer(type: GatewayResponseType, requestId: string, servedBy: string): HttpResponse {
    const { status, message } = DEFAULTS[type];
    const custom = this.byType.get(type) ?? this.byType.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const context = { requestId, message, responseType: type };
    const template =
      custom?.ResponseTemplates?.['application/json'] ?? '{"message":$context.error.messageString}';
    const headers = Object.entries(custom?.ResponseParameters ?? {}).map((entry) =>
      parameter(entry, context),
    );
    return {
      status: custom?.StatusCode ?? status,
      headers: header(headers, 'content-type') ? headers : [...headers, ['content-type', 'application/json']],
      body: Buffer.from(render(template, context)),
      servedBy,
    };
  }
}

interface Context {
  readonly requestId: string;
  readonly message: string;
  readonly responseType: string;
}

const SAMPLE: Context = { requestId: '', message: '', responseType: '' };

function variables({ requestId, message, responseType }: Context): Record<string, string> {
  return {
    'context.requestId': requestId,
    'context.error.message': message,
    'context.error.messageString': JSON.stringify(message),
    'context.error.responseType': responseType,
  };
}

function render(template: string, context: Context): string {
  const values = variables(context);
  return template.replace(/\$([a-zA-Z.]+)|[$#]/g, (all, name: string | undefined) => {
    const value = name === undefined ? undefined : values[name];
    if (value === undefined)
      throw new Error(`${all} in a gateway response's template is not known: ${template}`);
    return value;
  });
}

function parameter([target, source]: [string, string], context: Context): HeaderList[number] {
  const name = /^gatewayresponse\.header\.(.+)$/.exec(target)?.[1];
  const value = /^'(.*)'$/.exec(source)?.[1] ?? variables(context)[source];
  if (name === undefined || value === undefined) {
    throw new Error(`The response parameter ${target}: ${source} of a gateway response is not known.`);
  }
  return [name, value];
}
