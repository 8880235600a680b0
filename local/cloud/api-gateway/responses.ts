import type * as z from 'zod';
import { type HeaderList, type HttpResponse, header } from '../http.ts';
import type { GatewayResponseProperties, IntegrationResponseProperties, MethodProperties } from './properties.ts';

/** The data that API Gateway adds to a request. */
export interface RequestContext {
  readonly accountId: string;
  readonly apiId: string;
  readonly domainName: string;
  readonly stage: string;
  readonly requestId: string;
  /** `arn:aws:execute-api:<region>:<account>:<api>/<stage>/<HTTP method><resource path>` */
  readonly methodArn: string;
  /** The context from the method's authorizer. */
  readonly authorizer?: Readonly<Record<string, string>>;
}

/** Returns the value of a variable in expressions and templates, such as `context.requestId`, or undefined. */
type Variables = (name: string) => string | undefined;

/** Returns the variables of a request and those of `more`. */
export function variablesOf(
  { requestId, authorizer = {} }: Pick<RequestContext, 'requestId' | 'authorizer'>,
  more: Readonly<Record<string, string>> = {},
): Variables {
  const given = Object.entries(authorizer).map(([key, value]) => [`context.authorizer.${key}`, value] as const);
  const values = new Map([['context.requestId', requestId], ...given, ...Object.entries(more)]);
  return (name) => values.get(name);
}

/**
 * Returns empty values for all variables that a request can have, to check expressions and templates at start-up.
 * @param authorized whether the method has an authorizer, whose context can have any key
 */
export function declaredVariables(authorized: boolean, more: readonly string[] = []): Variables {
  const names = new Set(['context.requestId', ...more]);
  return (name) => (names.has(name) || (authorized && name.startsWith('context.authorizer.')) ? '' : undefined);
}

/** Returns the value of a mapping expression: `'a literal'` or the name of a variable. Otherwise undefined. */
export function evaluate(expression: string, variables: Variables): string | undefined {
  return /^'(.*)'$/.exec(expression)?.[1] ?? variables(expression);
}

/** Expands the variables of a template. @throws Error that names an unsupported one */
function fillIn(template: string, variables: Variables): string {
  return template.replace(/\$([a-zA-Z.]+)|\$/g, (all, name: string | undefined) => {
    const value = name === undefined ? undefined : variables(name);
    if (value === undefined) throw new Error(`${all} in a mapping template is not supported: ${template}`);
    return value;
  });
}

/** Returns the list with a content type: by default, API Gateway sends JSON. */
export function withDefaultType(headers: HeaderList): HeaderList {
  return header(headers, 'content-type') ? headers : [...headers, ['Content-Type', 'application/json']];
}

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

  /** Returns the response of a type, as the template customizes it. @param message by default, that of the type */
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
    const template = custom?.ResponseTemplates?.['application/json'] ?? '{"message":$context.error.messageString}';
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

interface IntegrationResponse {
  readonly status: number;
  /** Mapping expressions by name. */
  readonly headers: HeaderList;
  readonly template: string;
  /** Undefined for the default. */
  readonly pattern: RegExp | undefined;
}

/** The responses of a method without proxy integration. Rejects at start-up what a deployment would reject. */
export class IntegrationResponses {
  private readonly selected: readonly IntegrationResponse[];
  private readonly fallback: IntegrationResponse;

  /** @param name name of the method, for errors */
  constructor(name: string, responses: readonly IntegrationResponseProperties[], method: MethodProperties) {
    const read = responses.map((response) => {
      try {
        return readResponse(response, method);
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
      }
    });
    this.selected = read.filter(({ pattern }) => pattern !== undefined);
    const [fallback, ...others] = read.filter(({ pattern }) => pattern === undefined);
    if (fallback === undefined || others.length > 0)
      throw new Error(`${name} needs exactly one integration response without a selection pattern`);
    this.fallback = fallback;
  }

  /** Returns the response to the caller for a status of the integration's response. */
  response(integrationStatus: number, context: RequestContext, servedBy: string): HttpResponse {
    const chosen = this.selected.find(({ pattern }) => pattern?.test(String(integrationStatus)));
    const { status, headers, template } = chosen ?? this.fallback;
    const variables = variablesOf(context);
    const mapped = headers.map(([name, source]) => [name, headerValue(name, source, variables)] as const);
    return {
      status,
      headers: withDefaultType(mapped),
      body: Buffer.from(fillIn(template, variables)),
      servedBy,
    };
  }
}

function readResponse(
  { StatusCode, SelectionPattern, ResponseParameters, ResponseTemplates }: IntegrationResponseProperties,
  { MethodResponses, AuthorizerId }: MethodProperties,
): IntegrationResponse {
  // Finds unsupported expressions at start-up.
  const variables = declaredVariables(AuthorizerId !== undefined);
  const declared = MethodResponses.find((one) => one.StatusCode === StatusCode)?.ResponseParameters;
  if (declared === undefined) throw new Error(`no method response has the status ${StatusCode}`);
  const headers = Object.entries(ResponseParameters).map(([target, source]) => {
    const name = /^method\.response\.header\.(.+)$/.exec(target)?.[1];
    if (name === undefined) throw new Error(`the response parameter ${target} is not supported`);
    headerValue(name, source, variables);
    if (!(target in declared)) throw new Error(`the method response ${StatusCode} does not declare ${target}`);
    return [name, source] as const;
  });
  const template = ResponseTemplates['application/json'];
  if (template.includes('#')) throw new Error(`# in a mapping template is not supported: ${template}`);
  fillIn(template, variables);
  // The pattern must match the whole status.
  const pattern = SelectionPattern === undefined ? undefined : new RegExp(`^(?:${SelectionPattern})$`);
  return { status: StatusCode, headers, template, pattern };
}

function headerValue(name: string, source: string, variables: Variables): string {
  const value = evaluate(source, variables);
  if (value === undefined) throw new Error(`the value ${source} of the header ${name} is not supported`);
  return value;
}
