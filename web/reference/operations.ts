import { ERRORS, type ErrorCode } from '../../lambda/contract/errors.ts';
import { groupOf } from '../../lambda/contract/groups.ts';
import type { ResponseHeader } from '../../lambda/contract/headers.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../lambda/contract/operations.ts';
import {
  PATH_PARAMETERS,
  REQUEST_HEADER_FIELDS,
  RESPONSE_HEADER_FIELDS,
} from '../../lambda/contract/responses/headers.ts';
import { RESPONSES } from '../../lambda/contract/responses/operations.ts';
import type { Block, Group, Item, Section, Sent } from './content.ts';
import type { ExampleResponse } from './examples/recorder.ts';
import { fieldsOf } from './fields.ts';
import { BASE } from './languages.ts';
import { readExamples, responseText } from './samples.ts';

/** The section of an operation; its name is the fragment. */
export interface OperationSection extends Section {
  readonly id: OperationName;
  readonly operation: Operation;
}

/** The base URL in recorded examples. */
const RECORDED_BASE = 'http://localhost:3000';

const NAMES = Object.keys(OPERATIONS) as OperationName[];

const item = (name: string, meaning: string): Item => ({ name: `\`${name}\``, meaning });
const list = (title: string, items: readonly Item[], more: { sent?: Sent; folded?: true } = {}): Block => {
  return { title, items, ...more };
};

export function operationGroups(): readonly Group<OperationSection>[] {
  const sections = NAMES.map((id): OperationSection => {
    const operation: Operation = OPERATIONS[id];
    const { title, summary, scope } = operation;
    const requirement = scope ? ` Requires an API key or access token with the scope \`${scope}\`.` : '';
    const about = { text: `${summary}.${requirement}` };
    const parts = [about, ...request(id), ...responses(id), ...example(id)];
    const blocks = parts.filter((block) => !('items' in block) || block.items.length > 0);
    return { id, title, operation, blocks };
  });
  const groups = Object.groupBy(sections, ({ operation }) => groupOf(operation));
  return Object.entries(groups).map(([title, members = []]) => ({ title, sections: members }));
}

function request(id: OperationName): Block[] {
  const { path, query, headers = [], request: body }: Operation = OPERATIONS[id];
  const parameters = Array.from(path.matchAll(/\{(\w+)\}/g), ({ 1: name = '', index }): Item => {
    return { ...item(name, PATH_PARAMETERS[path.slice(0, index)] ?? ''), presence: 'required' };
  });
  const named = headers.map((name) => item(name, REQUEST_HEADER_FIELDS[name].description));
  return [
    list('Path parameters', parameters, { sent: 'path' }),
    list('Query parameters', query ? fieldsOf(query, `${id}.query`, 'optional') : [], { sent: 'query' }),
    list('Request body', body ? fieldsOf(body, `${id}.request`, 'optional') : [], { sent: 'request' }),
    list('Request headers', named, { sent: 'headers' }),
  ];
}

function responses(id: OperationName): Block[] {
  const { responses: successes, errors }: Operation = OPERATIONS[id];
  const { body, headers = {} } = RESPONSES[id];
  const texts: { readonly [Code in ErrorCode]?: string } = RESPONSES[id].errors ?? {};
  const regular = Object.entries(successes).map(([status, meaning]) => item(status, meaning));
  const failures = errors
    .map((code) => item(`${ERRORS[code].status}`, texts[code] ?? ERRORS[code].when))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const statuses = [...new Set(failures.map(({ name }) => name.slice(1, -1)))];
  const sent = new Set(Object.values(headers).flatMap((some) => some.map((name) => name.replace('?', ''))));
  const named = ([...sent] as ResponseHeader[]).map((name) => item(name, RESPONSE_HEADER_FIELDS[name].description));
  const first = NAMES.find((other) => body && RESPONSES[other].body === body);
  return [
    list('Responses', regular),
    list(`Errors ${statuses.join(', ')}`, failures, { folded: true }),
    list('Response headers', named, { folded: true }),
    first && first !== id
      ? { text: `The response body is that of [${OPERATIONS[first].title}](#${first}).` }
      : list('Response body', body ? fieldsOf(body, `${id}.response`, 'required') : []),
  ];
}

/** Returns nothing for a new operation, before its example is recorded. */
function example(id: OperationName): Block[] {
  const samples = readExamples()[id];
  if (!samples) return [];
  const { response, table } = samples;
  const code = (shown: ExampleResponse) => responseText(shown).replaceAll(RECORDED_BASE, BASE);
  const blocks: Block[] = [
    { id, samples },
    { label: `Response ${response.status}`, language: 'http', code: code(response) },
  ];
  if (!table) return blocks;
  const label = `Response with Accept: ${table.request.headers?.Accept}`;
  return [...blocks, { label, language: 'http', code: code(table.response) }];
}
