import * as z from 'zod';
import { buildRequest } from '../../lambda/contract/builds.ts';
import { ERRORS } from '../../lambda/contract/errors.ts';
import { generateRequest } from '../../lambda/contract/generate.ts';
import { settingsRequest } from '../../lambda/contract/page-settings.ts';
import { reportRequest } from '../../lambda/contract/reports.ts';
import { createdAsset, shownAsset } from '../../lambda/contract/responses/assets.ts';
import { buildReport, buildResponse } from '../../lambda/contract/responses/builds.ts';
import {
  deletedDeployment,
  deploymentResource,
  deployResponse,
  generatedDeployment,
  versionResource,
} from '../../lambda/contract/responses/deploy.ts';
import { domainResource } from '../../lambda/contract/responses/domains.ts';
import { buildProblem } from '../../lambda/contract/responses/errors.ts';
import {
  generatedFile,
  generateResponse,
  generationResource,
} from '../../lambda/contract/responses/generate.ts';
import { look, lookProblem } from '../../lambda/contract/responses/looks.ts';
import { providerList } from '../../lambda/contract/responses/providers.ts';
import { reportResponse } from '../../lambda/contract/responses/reports.ts';
import { usage, usageResponse } from '../../lambda/contract/responses/usage.ts';
import { viewsResponse } from '../../lambda/contract/responses/views.ts';
import { usageQuery } from '../../lambda/contract/usage.ts';
import { viewsQuery } from '../../lambda/contract/views.ts';

const RESPONSES = {
  GeneratedFile: generatedFile,
  GenerateResponse: generateResponse,
  GenerationResource: generationResource,
  DeployResponse: deployResponse,
  GeneratedDeployment: generatedDeployment,
  VersionResource: versionResource,
  DomainResource: domainResource,
  DeploymentResource: deploymentResource,
  DeletedDeployment: deletedDeployment,
  LookProblem: lookProblem,
  Look: look,
  BuildProblem: buildProblem,
  BuildReport: buildReport,
  BuildResponse: buildResponse,
  CreatedAsset: createdAsset,
  ShownAsset: shownAsset,
  ReportResponse: reportResponse,
  ProviderList: providerList,
  Usage: usage,
  UsageResponse: usageResponse,
  ViewsResponse: viewsResponse,
};
const REQUESTS = {
  BuildRequest: buildRequest,
  GenerateRequest: generateRequest,
  ReportRequest: reportRequest,
  SettingsRequest: settingsRequest,
  UsageQuery: usageQuery,
  ViewsQuery: viewsQuery,
};

/** The parts of a JSON Schema that the contract's schemas use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
}

/** Returns `client/types.ts`: the contract's schemas as TypeScript, so that the client's types need no zod. */
export function clientTypes(): string {
  const codes = Object.keys(ERRORS).map((code) => `'${code}'`);
  return [
    '// Generated from lambda/contract by npm run client: do not edit.\n',
    `/** Codes of the service's errors. */\nexport type ErrorCode = ${codes.join(' | ')};\n`,
    codesByStatus(),
    ...declarations(RESPONSES, ''),
    ...declarations(REQUESTS, ' | undefined'),
  ].join('\n');
}

/** Of two codes with the same status, the last one is the more general. */
function codesByStatus(): string {
  const codes = Object.entries(ERRORS).map(([code, { status }]): [number, string] => [status, code]);
  const members = Object.entries(Object.fromEntries(codes)).map(([status, code]) => `${status}: '${code}',`);
  const type = '{ readonly [status: number]: ErrorCode }';
  return `/** The code of an error by its status. @internal */\nexport const CODES: ${type} = {\n${members.join('\n')}\n};\n`;
}

/** @param absent the type of an optional property besides its own */
function declarations(named: Readonly<Record<string, z.ZodType>>, absent: string): string[] {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => id });
  return Object.entries(schemas).map(
    ([id, schema]) => `export interface ${id} ${typeOf(schema as Schema, absent)}\n`,
  );
}

/** @throws Error for a schema that it would render incompletely */
function typeOf(schema: Schema, absent: string): string {
  const { $ref, type, anyOf, items, properties, additionalProperties } = schema;
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if ($ref) return $ref;
  if (values)
    return values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
  if (anyOf) return anyOf.map((one) => typeOf(one, absent)).join(' | ');
  if (type === 'integer') return 'number';
  if (Array.isArray(type)) return type.map((one) => typeOf({ type: one }, absent)).join(' | ');
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  if (type === 'array' && items) return `readonly (${typeOf(items, absent)})[]`;
  if (type === 'object' && properties) return `{\n${members(schema, absent)}}`;
  if (type === 'object' && additionalProperties)
    return `{ readonly [name: string]: ${typeOf(additionalProperties, absent)} }`;
  throw new Error(`No TypeScript for ${JSON.stringify(schema)}: extend client/publish/types.ts`);
}

function members({ properties = {}, required = [] }: Schema, absent: string): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const comment = schema.description ? `/** ${schema.description} */\n` : '';
      const type = typeOf(schema, absent);
      return required.includes(name)
        ? `${comment}readonly ${name}: ${type};\n`
        : `${comment}readonly ${name}?: ${type}${absent};\n`;
    })
    .join('');
}
