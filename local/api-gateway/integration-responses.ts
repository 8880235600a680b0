import { type HeaderList, type HttpResponse, withHeaders } from '../http.ts';
import { evaluate, renderResponse, withDefaultType } from './mapping.ts';
import type { IntegrationResponseProperties, MethodResponseProperties } from './properties.ts';

interface IntegrationResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly template: string;
  /** Undefined for the default. */
  readonly pattern: RegExp | undefined;
}

/** The answers of a method whose integration is no proxy. What a deployment refuses is an error at start. */
export class IntegrationResponses {
  private readonly selected: readonly IntegrationResponse[];
  private readonly fallback: IntegrationResponse;

  /** @param name the method's, for errors */
  constructor(
    name: string,
    responses: readonly IntegrationResponseProperties[],
    methodResponses: readonly MethodResponseProperties[],
  ) {
    const read = responses.map((response) => {
      try {
        return readResponse(response, methodResponses);
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
      }
    });
    this.selected = read.filter(({ pattern }) => pattern !== undefined);
    const [fallback, ...others] = read.filter(({ pattern }) => pattern === undefined);
    if (fallback === undefined || others.length > 0)
      throw new Error(`${name} needs exactly one integration response without a selection pattern.`);
    this.fallback = fallback;
  }

  /** The answer to the caller when the integration's has this status. */
  answer(integrationStatus: number, requestId: string, servedBy: string): HttpResponse {
    const chosen = this.selected.find(({ pattern }) => pattern?.test(String(integrationStatus)));
    const { status, headers, template } = chosen ?? this.fallback;
    const { headers: overrides, body } = renderResponse(template, { 'context.requestId': requestId });
    return {
      status,
      headers: withDefaultType(withHeaders(headers, overrides)),
      body: Buffer.from(body),
      servedBy,
    };
  }
}

function readResponse(
  { StatusCode, SelectionPattern, ResponseParameters, ResponseTemplates }: IntegrationResponseProperties,
  methodResponses: readonly MethodResponseProperties[],
): IntegrationResponse {
  const declared = methodResponses.find((one) => one.StatusCode === StatusCode)?.ResponseParameters;
  if (declared === undefined) throw new Error(`no method response has the status ${StatusCode}.`);
  const headers = Object.entries(ResponseParameters).map(([target, source]) => {
    const name = /^method\.response\.header\.(.+)$/.exec(target)?.[1];
    const value = evaluate(source, {});
    if (name === undefined || value === undefined)
      throw new Error(`the response parameter ${target}: ${source} is not known.`);
    if (!(target in declared))
      throw new Error(`the method response ${StatusCode} does not declare ${target}.`);
    return [name, value] as const;
  });
  const template = ResponseTemplates['application/json'];
  // A trial run, so that what is not known is found at start.
  renderResponse(template, { 'context.requestId': '' });
  // The pattern must match the whole status.
  const pattern = SelectionPattern === undefined ? undefined : new RegExp(`^(?:${SelectionPattern})$`);
  return { status: StatusCode, headers, template, pattern };
}
