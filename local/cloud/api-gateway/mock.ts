import type { Integration, MethodRequest } from './integration.ts';
import { IntegrationResponses } from './integration-responses.ts';
import type { MethodProperties, MockIntegrationProperties } from './properties.ts';

/** Returns a MOCK integration, which has no backend. Its request template must contain only a status. */
export function mockIntegration(
  name: string,
  method: MethodProperties,
  { RequestTemplates, IntegrationResponses: responses }: MockIntegrationProperties,
): Integration {
  const template = RequestTemplates['application/json'];
  const status = /^\s*\{\s*"?statusCode"?\s*:\s*(\d+)\s*\}\s*$/.exec(template)?.[1];
  if (status === undefined)
    throw new Error(`The request template of the MOCK integration of ${name} is not supported: ${template}`);
  const templates = new IntegrationResponses(name, responses, method);
  return {
    respond: async ({ context }: MethodRequest) => templates.response(Number(status), context, 'mock'),
  };
}
