import type { Integration, MethodRequest } from './integration.ts';
import { IntegrationResponses } from './integration-responses.ts';
import type { MethodProperties, MockIntegrationProperties } from './properties.ts';

/** A MOCK integration: an answer without a backend. Its request template must be a status and nothing else. */
export function mockIntegration(
  name: string,
  method: MethodProperties,
  { RequestTemplates, IntegrationResponses: responses }: MockIntegrationProperties,
): Integration {
  const template = RequestTemplates['application/json'];
  const status = /^\s*\{\s*"?statusCode"?\s*:\s*(\d+)\s*\}\s*$/.exec(template)?.[1];
  if (status === undefined)
    throw new Error(`The request template of the MOCK integration of ${name} is not known: ${template}`);
  const answers = new IntegrationResponses(name, responses, method);
  return {
    respond: async ({ context }: MethodRequest) => answers.answer(Number(status), context, 'mock'),
  };
}
