import { readdirSync } from 'node:fs';
import { OpenAPIRegistry, OpenApiGeneratorV32, zodToOpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import { GROUPS, groupOf } from '../../../lambda/contract/groups.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../../lambda/contract/operations.ts';
import { REQUEST_HEADER_FIELDS, RESPONSE_HEADER_FIELDS } from '../../../lambda/contract/responses/headers.ts';
import { RESPONSES } from '../../../lambda/contract/responses/operations.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { addExamples, type Paths } from './examples.ts';
import { DOCUMENTS, withoutUnused } from './files.ts';
import { generationEvent, requestOf, responsesOf, SECURITY_SCHEMES, webhooks } from './operation.ts';

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

const FOLDERS = ['../../../lambda/contract/', '../../../lambda/contract/responses/'];

/**
 * Names the contract's objects, and returns them: a component has the name of its export, such as `DeployResponse`. A body
 * that is not exported is named after its operation.
 */
async function namedSchemas(): Promise<readonly z.ZodType[]> {
  const names = new Map<z.ZodType, string>();
  for (const folder of FOLDERS)
    for (const file of readdirSync(new URL(folder, import.meta.url)).filter((name) => name.endsWith('.ts')))
      for (const [name, value] of Object.entries((await import(folder + file)) as Record<string, unknown>))
        if (value instanceof z.ZodObject) names.set(value, capitalize(name));
  for (const operation of Object.keys(OPERATIONS) as OperationName[]) {
    const { request }: Operation = OPERATIONS[operation];
    const { body } = RESPONSES[operation];
    if (request && !names.has(request)) names.set(request, `${capitalize(operation)}Request`);
    if (body && !names.has(body)) names.set(body, `${capitalize(operation)}Response`);
  }
  // Unlike `OpenAPIRegistry.register`, which names a copy, this also makes references of the objects within others.
  for (const [schema, refId] of names) zodToOpenAPIRegistry.add(schema, { _internal: { refId } });
  return [...names.keys()];
}

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
