import { readNoun } from '../../kit/counts.ts';
import { readList } from '../../kit/lists.ts';
import { slug, toTitle } from '../../kit/phrases.ts';
import type { Brief, Kind, Values } from '../../kit/types.ts';

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
  return /^[a-z]\w*$/i.test(name) && !/^(?:id|createdAt|constructor|proto)$/i.test(name) ? name : `field${index + 1}`;
}

function typeOf(label: string): Field['type'] {
  if (NUMBER.test(label)) return 'number';
  return BOOLEAN.test(label) ? 'boolean' : 'string';
}

function readFields(text: string): Field[] {
  const listed = readList(text, 'fields?|properties|attributes|columns|felder|campos|champs').slice(0, MAX_FIELDS);
  const named = listed.map((label, index) => {
    return { name: identifier(label, index), type: typeOf(label), required: index === 0 };
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

function endpoints(resource: string, fields: readonly Field[], texts: Readonly<Record<Text, string>>): Values[] {
  const path = `/api/${resource}`;
  const url = `localhost:8080${path}`;
  const id = '3f2b…';
  const json = (values: readonly Field[]) =>
    JSON.stringify(Object.fromEntries(values.map(({ name, type }) => [name, SAMPLES[type] ?? ''])));
  const send = (method: string, target: string, values: readonly Field[]) =>
    `curl -X ${method} ${target} \\\n  -H 'content-type: application/json' \\\n  -d '${json(values)}'`;
  const all = [
    ['list', 'GET', path, texts.list, `curl '${url}?search=first'`],
    ['create', 'POST', path, texts.create, send('POST', url, fields)],
    ['read', 'GET', `${path}/{id}`, texts.read, `curl ${url}/${id}`],
    ['change', 'PATCH', `${path}/{id}`, texts.change, send('PATCH', `${url}/${id}`, fields.slice(-1))],
    ['delete', 'DELETE', `${path}/{id}`, texts.remove, `curl -X DELETE ${url}/${id}`],
  ] as const;
  return all.map(([name, method, target, written, curl]) => {
    const [text = '', answers = ''] = written.split('|');
    return { id: name, method, path: target, text, answers, curl };
  });
}

type Text = 'summary' | 'needs' | 'required' | 'list' | 'create' | 'read' | 'change' | 'remove';

/** The language of a program, and how it is started. */
interface Program {
  readonly language: string;
  readonly runtime: string;
  readonly startCommand: string;
}
const NODE: Program = { language: 'Node.js', runtime: 'Node.js 20', startCommand: 'node server.js' };
const PYTHON: Program = { language: 'Python', runtime: 'Python 3.9', startCommand: 'python3 server.py' };

function valuesOf({ name, request, text }: Brief, texts: Readonly<Record<Text, string>>, program: Program) {
  const resource = readNoun(request, 'items');
  const fields = readFields(text);
  const title = name || `${toTitle(resource, 'en')} API`;
  const example = {
    id: '3f2b…',
    ...Object.fromEntries(fields.map(({ name: key, type }) => [key, SAMPLES[type]])),
    createdAt: '2026-01-31T09:30:00.000Z',
  };
  return {
    title,
    description: texts.summary.replace('{resource}', resource).replace('{language}', program.language),
    needs: texts.needs.replace('{runtime}', program.runtime),
    startCommand: program.startCommand,
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
      rule: `${field.type}${field.required ? `, ${texts.required}` : ''}`,
    })),
    fieldTypes: Object.fromEntries(fields.map(({ name: key, type }) => [key, type])),
    schema: fields.map(({ name: key, type, required }) => ({ name: key, type, required })),
    example: JSON.stringify(example, null, 2),
    endpoints: endpoints(resource, fields, texts),
  };
}

const WORDS: Kind['words'] = [
  ['(?:rest(?:ful)?|http|json|web|crud)[- ]?(?:api|service|backend)|apis?|rest', 8],
  ['(?:node(?:\\.?js)?|express|fastify|http)(?:[- ]like)?[- ](?:server|backend|api)|(?:express|fastify)[- ]like', 8],
  ['back-?end|endpoints?|microservice|crud|web ?server|server', 6],
];

export const api: Kind<Text> = {
  name: 'api',
  layers: {
    auto: ['shared/page', 'api/page', 'api/base'],
    '5min': ['api/described', 'api/5min'],
    '10min': ['api/10min'],
  },
  accent: '#0f7a55',
  words: WORDS,
  values: (brief, texts) => valuesOf(brief, texts, NODE),
};

const NAMES_PYTHON = '(?:python|flask|fast ?api|django|uvicorn)';

/** The same API in Python, for prompts that name it or one of its frameworks: it outweighs the one for Node.js. */
export const pythonApi: Kind<Text> = {
  ...api,
  layers: {
    auto: ['shared/page', 'api/page', 'api/python'],
    '5min': ['api/described', 'api/python-5min'],
    '10min': ['api/python-10min'],
  },
  words: [
    ...WORDS.map(([pattern, weight]) => [`(?:${pattern})(?=[^]{0,300}${NAMES_PYTHON})`, weight + 2] as const),
    [
      `${NAMES_PYTHON}(?: \\p{L}+){0,2} (?:apis?|back-?end|server|service|endpoints?)|(?:flask|fast ?api|django) (?:app|project)`,
      12,
    ],
  ],
  values: (brief, texts) => valuesOf(brief, texts, PYTHON),
};
