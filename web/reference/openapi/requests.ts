import { getRefId, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import type * as z from 'zod';
import type { Operation } from '../../../lambda/contract/operations.ts';
import { PATH_PARAMETERS } from '../../../lambda/contract/responses/parameters.ts';

export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key (`ptp_…`) or an OAuth access token.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key (`ptp_…`).' },
} as const;

/** Returns what describes the requests of an operation. */
export function requestOf(operation: Operation): Pick<RouteConfig, 'security' | 'parameters' | 'request'> {
  const { path, query, request, headers = [] } = operation;
  // OpenAPI describes Accept by the media types of responses, and ignores a parameter with this name.
  const named = headers.filter((header) => header !== 'Accept');
  return {
    security: securityOf(operation),
    parameters: [
      ...pathParameters(path),
      ...[...named, ...(request ? ['Content-Encoding'] : [])].map((header) => ({
        $ref: `#/components/parameters/${header}`,
      })),
    ],
    request: {
      ...(query ? { query: query as z.ZodObject } : {}),
      ...(request
        ? { body: { required: true, content: { 'application/json': { schema: refTo(request) } } } }
        : {}),
    },
  };
}

/** Returns a reference to the component of a schema. */
export const refTo = (schema: z.ZodType) => ({ $ref: `#/components/schemas/${getRefId(schema)}` });

function pathParameters(path: string) {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ({ 1: name = '', index }) => {
    const description = PATH_PARAMETERS[path.slice(0, index)];
    if (description === undefined) throw new Error(`PATH_PARAMETERS does not describe {${name}} of ${path}`);
    return { name, in: 'path', required: true, description, schema: { type: 'string' } } as const;
  });
}

/** A credential is optional unless its absence is an error; a deployment's token can take its place. */
function securityOf({ scope, errors, headers = [] }: Operation) {
  const scopes = scope ? [scope] : [];
  const required = errors.includes('unauthorized') && !headers.includes('X-Deployment-Token');
  return [...(required ? [] : [{}]), { bearer: scopes }, { apiKey: scopes }];
}
