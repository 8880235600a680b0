import type { HttpResponse } from '../http.ts';
import type { MockIntegrationProperties } from './properties.ts';

/** A MOCK integration: a fixed answer. Only literal values are known, and a request template that is just a status. */
export function mockIntegration(properties: MockIntegrationProperties, name: string): HttpResponse {
  const template = properties.RequestTemplates['application/json'];
  if (!/^\s*\{\s*"?statusCode"?\s*:\s*\d+\s*\}\s*$/.test(template)) {
    throw new Error(`The request template of the MOCK integration of ${name} is not known: ${template}`);
  }
  // The only response has no selection pattern, so it is the one for every status of the template.
  const [{ StatusCode, ResponseParameters, ResponseTemplates }] = properties.IntegrationResponses;
  const headers = Object.entries(ResponseParameters).map(([target, source]) => {
    const field = /^method\.response\.header\.(.+)$/.exec(target)?.[1];
    const value = /^'(.*)'$/.exec(source)?.[1];
    if (field === undefined || value === undefined) {
      throw new Error(`The response parameter ${target}: ${source} of ${name} is not known.`);
    }
    return [field, value] as const;
  });
  const [[type, body] = ['application/json', '']] = Object.entries(ResponseTemplates);
  if (/[$#]/.test(body)) throw new Error(`The response template of ${name} is not known: ${body}`);
  return {
    status: StatusCode,
    headers: body === '' ? headers : [...headers, ['content-type', type]],
    body: Buffer.from(body),
    servedBy: 'mock',
  };
}
