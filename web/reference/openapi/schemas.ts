import { readdirSync } from 'node:fs';
import { zodToOpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import { OPERATIONS, type Operation, type OperationName } from '../../../lambda/contract/operations.ts';
import { RESPONSES } from '../../../lambda/contract/responses/operations.ts';

const FOLDERS = ['../../../lambda/contract/', '../../../lambda/contract/responses/'];

/**
 * Names the contract's objects, and returns them: a component has the name of its export, such as `DeployResponse`. A body
 * that is not exported is named after its operation.
 */
export async function namedSchemas(): Promise<readonly z.ZodType[]> {
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

/** Removes components that nothing refers to, such as schemas of configurations. */
export function withoutUnused<T extends { components?: object }>(document: T): T {
  const kept = new Map<string, unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string' && !kept.has($ref)) {
      const [, , kind = '', name = ''] = $ref.split('/');
      kept.set($ref, undefined);
      visit((document.components as Record<string, Record<string, unknown>>)[kind]?.[name]);
    }
    Object.values(value).forEach(visit);
  };
  visit({ ...document, components: {} });
  const components = Object.entries(document.components ?? {}).map(([kind, entries]) => [
    kind,
    Object.fromEntries(
      Object.entries(entries as object).filter(
        ([name]) => kind === 'securitySchemes' || kept.has(`#/components/${kind}/${name}`),
      ),
    ),
  ]);
  return { ...document, components: Object.fromEntries(components) };
}

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
