import { OpenAPIRegistry, OpenApiGeneratorV31, OpenApiGeneratorV32 } from '@asteasolutions/zod-to-openapi';
import { GROUPS, groupOf } from '../../../lambda/contract/groups.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../../lambda/contract/operations.ts';
import { REQUEST_HEADER_FIELDS, RESPONSE_HEADER_FIELDS } from '../../../lambda/contract/responses/headers.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { generationEvent, generationStream } from './events.ts';
import { addExamples, type Paths } from './examples.ts';
import type { Version } from './files.ts';
import { requestOf, SECURITY_SCHEMES } from './requests.ts';
import { responsesOf } from './responses.ts';
import { namedSchemas, withoutUnused } from './schemas.ts';
import { webhooks } from './webhooks.ts';

const INFO = {
  title: manifest.name,
  version: manifest.version,
  description: `${manifest.description}. The reference is at [/docs](/docs).`,
  license: { name: 'Apache License 2.0', identifier: manifest.license },
};

/** Returns the text of a document, as `npm run openapi` writes it. */
export const documentText = async (version: Version): Promise<string> =>
  `${JSON.stringify(await openApiDocument(version), null, 1)}\n`;

/**
 * Returns the description of the API, generated from the contract and the recorded examples.
 * https://spec.openapis.org/oas/v3.2.0.html
 */
export async function openApiDocument(version: Version) {
  const schemas = await namedSchemas();
  const registry = new OpenAPIRegistry();
  registerHeaders(registry);
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES))
    registry.registerComponent('securitySchemes', name, scheme);
  const { ref } = registry.registerComponent('schemas', 'GenerationEvent', generationEvent());
  const stream = version === '3.1.0' ? { schema: generationStream } : { itemSchema: ref };
  for (const name of Object.keys(OPERATIONS) as OperationName[]) registerOperation(name, registry, stream);
  const Generator = version === '3.1.0' ? OpenApiGeneratorV31 : OpenApiGeneratorV32;
  for (const webhook of webhooks()) registry.registerWebhook(webhook);
  const document = new Generator([
    ...schemas.map((schema) => ({ type: 'schema' as const, schema })),
    ...registry.definitions,
  ]).generateDocument({
    openapi: version,
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
