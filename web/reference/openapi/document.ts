import { OpenAPIRegistry, OpenApiGeneratorV32 } from '@asteasolutions/zod-to-openapi';
import { GROUPS, groupOf } from '../../../lambda/contract/groups.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../../lambda/contract/operations.ts';
import { REQUEST_HEADER_FIELDS, RESPONSE_HEADER_FIELDS } from '../../../lambda/contract/responses/headers.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { generationEvent } from './events.ts';
import { addExamples, type Paths } from './examples.ts';
import { DOCUMENTS } from './files.ts';
import { requestOf, SECURITY_SCHEMES } from './requests.ts';
import { responsesOf } from './responses.ts';
import { namedSchemas } from './schemas.ts';
import { withoutUnused } from './unused.ts';
import { webhooks } from './webhooks.ts';

const INFO = {
  title: manifest.name,
  version: manifest.version,
  description: `${manifest.description}. The reference is at [/docs](/docs).`,
  license: { name: 'Apache License 2.0', identifier: manifest.license },
};

/**
 * Returns the description of the API in OpenAPI 3.2, generated from the contract and the recorded examples.
 * https://spec.openapis.org/oas/v3.2.0.html
 */
export async function openApiDocument() {
  const schemas = await namedSchemas();
  const registry = new OpenAPIRegistry();
  registerHeaders(registry);
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES))
    registry.registerComponent('securitySchemes', name, scheme);
  const { ref } = registry.registerComponent('schemas', 'GenerationEvent', generationEvent());
  const stream = { itemSchema: ref };
  for (const name of Object.keys(OPERATIONS) as OperationName[]) registerOperation(name, registry, stream);
  for (const webhook of webhooks()) registry.registerWebhook(webhook);
  const document = new OpenApiGeneratorV32([
    ...schemas.map((schema) => ({ type: 'schema' as const, schema })),
    ...registry.definitions,
  ]).generateDocument({
    openapi: DOCUMENTS['openapi.json'],
    info: INFO,
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: GROUPS.map(({ name, description }) => ({ name, description })),
    externalDocs: { url: '/docs', description: 'The reference' },
  });
  addExamples(document.paths as Paths);
  return withoutUnused(document);
}

function registerHeaders(registry: OpenAPIRegistry): void {
  for (const [name, field] of Object.entries(REQUEST_HEADER_FIELDS))
    registry.registerComponent('parameters', name, { name, in: 'header', ...field });
  for (const [name, field] of Object.entries(RESPONSE_HEADER_FIELDS)) {
    registry.registerComponent('headers', name, { required: true, ...field });
    registry.registerComponent('headers', `${name}.optional`, { ...field });
  }
}

function registerOperation(
  name: OperationName,
  registry: OpenAPIRegistry,
  stream: Parameters<typeof responsesOf>[2],
): void {
  const operation: Operation = OPERATIONS[name];
  const { method, path, title, summary, scope } = operation;
  const requirement = scope ? ` Requires a credential with the scope \`${scope}\`.` : '';
  registry.registerPath({
    method: method.toLowerCase() as Lowercase<typeof method>,
    path,
    operationId: name,
    tags: [groupOf(operation)],
    summary: title,
    description: `${summary}.${requirement}`,
    ...requestOf(operation),
    responses: responsesOf(name, registry, stream),
  });
}
