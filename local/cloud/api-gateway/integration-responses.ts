import { type HeaderList, type HttpResponse, withHeaders } from '../http.ts';
import {
  declaredVariables,
  evaluate,
  renderResponse,
  type Variables,
  variablesOf,
  withDefaultType,
} from './mapping.ts';
import type { IntegrationResponseProperties, MethodProperties } from './properties.ts';
import type { RequestContext } from './request-context.ts';

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
    const { headers: overrides, body } = renderResponse(template, variables);
    return {
      status,
      headers: withDefaultType(withHeaders(mapped, overrides)),
      body: Buffer.from(body),
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
    if (!(target in declared))
      throw new Error(`the method response ${StatusCode} does not declare ${target}`);
    return [name, source] as const;
  });
  const template = ResponseTemplates['application/json'];
  renderResponse(template, variables);
  // The pattern must match the whole status.
  const pattern = SelectionPattern === undefined ? undefined : new RegExp(`^(?:${SelectionPattern})$`);
  return { status: StatusCode, headers, template, pattern };
}

function headerValue(name: string, source: string, variables: Variables): string {
  const value = evaluate(source, variables);
  if (value === undefined) throw new Error(`the value ${source} of the header ${name} is not supported`);
  return value;
}
