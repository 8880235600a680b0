import { readList } from '../kit/lists.ts';
import { readNoun } from '../kit/nouns.ts';
import { slug, toTitle } from '../kit/phrases.ts';
import type { Brief, Kind, Values } from '../kit/types.ts';

const NUMBER = /price|amount|year|age|count|quantity|rating|total|pages|cost/i;
const BOOLEAN = /done|completed|active|available|paid|read|published/i;
const MAX_FIELDS = 8;
const SAMPLES: Readonly<Record<string, Value>> = { string: 'A first one', number: 12, boolean: false };
type Value = string | number | boolean;

interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** Turns "Published at" into publishedAt; a label that cannot be an identifier becomes `field1`, `field2`, … */
function identifier(label: string, index: number): string {
  const name = slug(label, '').replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());
  return /^[a-z]\w*$/i.test(name) && !/^(?:id|createdAt|constructor|proto)$/i.test(name)
    ? name
    : `field${index + 1}`;
}

function readFields(text: string): Field[] {
  const listed = readList(text, 'fields?|properties|attributes|columns|felder|campos|champs').slice(
    0,
    MAX_FIELDS,
  );
  const named = listed.map((label, index) => {
    const type = NUMBER.test(label) ? 'number' : BOOLEAN.test(label) ? 'boolean' : 'string';
    return { name: identifier(label, index), type, required: index === 0 };
  });
  const unique = named.filter(({ name }, index) => named.findIndex((other) => other.name === name) === index);
  return unique.length > 0
    ? unique
    : [
        { name: 'title', type: 'string', required: true },
        { name: 'note', type: 'string', required: false },
        { name: 'done', type: 'boolean', required: false },
      ];
}

function endpoints(resource: string, fields: readonly Field[]): Values[] {
  const path = `/api/${resource}`;
  const url = `localhost:8080${path}`;
  const id = '3f2b…';
  const json = (values: readonly Field[]) =>
    JSON.stringify(Object.fromEntries(values.map(({ name, type }) => [name, SAMPLES[type] ?? ''])));
  const send = (method: string, target: string, values: readonly Field[]) =>
    `curl -X ${method} ${target} \\\n  -H 'content-type: application/json' \\\n  -d '${json(values)}'`;
  return [
    {
      id: 'list',
      method: 'GET',
      path,
      text: 'Lists all, the oldest first. With search, only those that contain the text.',
      answers: '200 with a list',
      curl: `curl '${url}?search=first'`,
    },
    {
      id: 'create',
      method: 'POST',
      path,
      text: 'Creates one.',
      answers: '201 with the object and its Location, 400',
      curl: send('POST', url, fields),
    },
    {
      id: 'read',
      method: 'GET',
      path: `${path}/{id}`,
      text: 'Returns one.',
      answers: '200 with the object, 404',
      curl: `curl ${url}/${id}`,
    },
    {
      id: 'change',
      method: 'PATCH',
      path: `${path}/{id}`,
      text: 'Changes the given fields and leaves the others.',
      answers: '200 with the object, 400, 404',
      curl: send('PATCH', `${url}/${id}`, fields.slice(-1)),
    },
    {
      id: 'delete',
      method: 'DELETE',
      path: `${path}/{id}`,
      text: 'Deletes one.',
      answers: '204 without a body, 404',
      curl: `curl -X DELETE ${url}/${id}`,
    },
  ];
}

export const api: Kind = {
  name: 'api',
  layers: {
    auto: ['shared/page', 'api/base'],
    '5min': ['api/5min'],
    '10min': ['api/10min'],
  },
  accent: '#0f7a55',
  words: [
    ['(?:rest(?:ful)?|http|json|web|crud)[- ]?(?:api|service|backend)|apis?|rest', 8],
    [
      '(?:node(?:\\.?js)?|express|fastify|http)(?:[- ]like)?[- ](?:server|backend|api)|(?:express|fastify)[- ]like',
      8,
    ],
    ['back-?end|endpoints?|microservice|crud|web ?server|server', 6],
  ],
  values({ name, request, text }: Brief) {
    const resource = readNoun(request, 'items');
    const fields = readFields(text);
    const title = name || `${toTitle(resource)} API`;
    const example = {
      id: '3f2b…',
      ...Object.fromEntries(fields.map(({ name: key, type }) => [key, SAMPLES[type]])),
      createdAt: '2026-01-31T09:30:00.000Z',
    };
    return {
      title,
      description: `A small JSON API for ${resource}: list, create, read, change and delete, with Node.js and no packages.`,
      resource,
      packageName: slug(title, 'json-api'),
      collectionPath: `/api/${resource}`,
      itemPath: `/api/${resource}/{id}`,
      curlTarget: `localhost:8080/api/${resource}/3f2b…`,
      curlList: `curl -i 'localhost:8080/api/${resource}?sort=-createdAt&limit=2'\n\nx-total-count: 5\nlink: </api/${resource}?sort=-createdAt&limit=2&offset=2>; rel="next"`,
      properties: Object.fromEntries(
        fields.map(({ name: key, type }) => [
          key,
          type === 'string' ? { type, minLength: 1, maxLength: 1000 } : { type },
        ]),
      ),
      requiredFields: fields.filter(({ required }) => required).map(({ name: key }) => key),
      firstField: fields[0]?.name ?? 'title',
      fields: fields.map((field) => ({
        name: field.name,
        rule: `${field.type}${field.required ? ', required' : ''}`,
      })),
      schema: fields.map(({ name: key, type, required }) => ({ name: key, type, required })),
      example: JSON.stringify(example, null, 2),
      endpoints: endpoints(resource, fields),
    };
  },
};
