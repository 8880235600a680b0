import { ERRORS, type ErrorCode } from '../lambda/contract/errors.ts';
import { groupOf } from '../lambda/contract/groups.ts';
import { OPERATIONS, type Operation, type OperationName } from '../lambda/contract/operations.ts';
import { REQUEST_HEADER_FIELDS, RESPONSE_HEADER_FIELDS } from '../lambda/contract/responses/headers.ts';
import { RESPONSES } from '../lambda/contract/responses/operations.ts';
import { PATH_PARAMETERS } from '../lambda/contract/responses/parameters.ts';
import type { Block, Item, Section } from './content.ts';
import { readExamples } from './examples.ts';
import { fieldsOf } from './fields.ts';
import { BASE } from './languages.ts';
import { responseText } from './samples/curl.ts';

/** The section of an operation; its name is the fragment. */
export interface OperationSection extends Section {
  readonly name: OperationName;
  readonly operation: Operation;
}

/** The base URL in recorded examples. */
const RECORDED_BASE = 'http://localhost:3000';

const NAMES = Object.keys(OPERATIONS) as OperationName[];

/** Returns the sections of all operations by group. */
export function operationGroups(): readonly (readonly [
  title: string,
  sections: readonly OperationSection[],
])[] {
  const examples = readExamples();
  const sections = NAMES.map((name): OperationSection => {
    const operation: Operation = OPERATIONS[name];
    const example = examples[name];
    const shown: Block[] = example
      ? [
          { name, samples: example },
          {
            label: `Response ${example.response.status}`,
            language: 'http',
            code: responseText(example.response).replaceAll(RECORDED_BASE, BASE),
          },
        ]
      : [];
    const blocks = [...description(operation), ...request(name), ...responses(name), ...shown];
    return { id: name, name, title: operation.title, operation, blocks };
  });
  return Object.entries(Object.groupBy(sections, ({ operation }) => groupOf(operation))).map(
    ([title, some = []]) => [title, some],
  );
}

function description({ summary, scope }: Operation): Block[] {
  const requirement = scope ? ` Requires an API key or access token with the scope \`${scope}\`.` : '';
  return [{ text: `${summary}.${requirement}` }];
}

function request(name: OperationName): Block[] {
  const { path, query, headers = [], request: body }: Operation = OPERATIONS[name];
  const parameters = Array.from(path.matchAll(/\{(\w+)\}/g), ({ 1: parameter = '', index }) => {
    return {
      name: `\`${parameter}\``,
      presence: 'required',
      meaning: PATH_PARAMETERS[path.slice(0, index)] ?? '',
    };
  });
  const sentHeaders = headers.map((header) => {
    return { name: `\`${header}\``, meaning: REQUEST_HEADER_FIELDS[header].description };
  });
  const lists = [
    { sent: 'path', title: 'Path parameters', items: parameters as Item[] },
    {
      sent: 'query',
      title: 'Query parameters',
      items: query ? fieldsOf(query, `${name}.query`, 'optional') : [],
    },
    { sent: 'headers', title: 'Request headers', items: sentHeaders },
    {
      sent: 'request',
      title: 'Request body',
      items: body ? fieldsOf(body, `${name}.request`, 'optional') : [],
    },
  ] as const;
  return lists.filter(({ items }) => items.length > 0);
}

function responses(name: OperationName): Block[] {
  const { responses: successes, errors }: Operation = OPERATIONS[name];
  const { body, headers = {}, errors: described = {} } = RESPONSES[name];
  const texts: { readonly [Code in ErrorCode]?: string } = described;
  const failures = errors
    .map((code) => ({ name: `\`${ERRORS[code].status}\``, meaning: texts[code] ?? ERRORS[code].when }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const statuses = new Set(failures.map((item) => item.name.slice(1, -1)));
  const sentHeaders = new Set(
    Object.values(headers).flatMap((some) => some.map((one) => one.replace('?', ''))),
  );
  const first = NAMES.find((other) => body && RESPONSES[other].body === body);
  const lists: Block[] = [
    {
      title: 'Responses',
      items: Object.entries(successes).map(([status, meaning]) => ({ name: `\`${status}\``, meaning })),
    },
    { title: `Errors ${[...statuses].join(', ')}`, items: failures, folded: true },
    {
      title: 'Response headers',
      items: ([...sentHeaders] as (keyof typeof RESPONSE_HEADER_FIELDS)[]).map((header) => {
        return { name: `\`${header}\``, meaning: RESPONSE_HEADER_FIELDS[header].description };
      }),
      folded: true,
    },
    ...(body && first === name
      ? [{ title: 'Response body', items: fieldsOf(body, `${name}.response`, 'required') }]
      : []),
  ];
  const same =
    first && first !== name
      ? [{ text: `The response body is that of [${OPERATIONS[first].title}](#${first}).` }]
      : [];
  return [...lists.filter((list) => 'items' in list && list.items.length > 0), ...same];
}
