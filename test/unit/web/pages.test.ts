import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type * as z from 'zod';
import { ERRORS } from '../../../lambda/contract/errors.ts';
import { RATE_LIMIT_DOCS } from '../../../lambda/contract/limits.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../../lambda/contract/operations.ts';
import { RESPONSES } from '../../../lambda/contract/responses/operations.ts';
import { parseConfig } from '../../../lib/config.ts';
import { abuseContact } from '../../../lib/pages.ts';
import { servicePages } from '../../../web/pages.ts';
import { curlSample, readExamples, responseText } from '../../../web/reference/samples.ts';
import { securityText } from '../../../web/security-text.ts';
import { testRows } from '../../support/rows.ts';

const NAMES = Object.keys(OPERATIONS) as OperationName[];
const files = servicePages();
const content = (key: string) => String(files[key]?.body);
const reference = content('docs/index.html');

const all = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = '']) => found);

/** Returns the section of an operation or guide. */
function section(id: string): string {
  const [, rest = ''] = reference.split(`<section id="${id}"`);
  return rest.split('</section>', 1)[0] ?? '';
}

/** Returns the statuses of an operation and their meanings: its successes, then its errors. */
function statuses(name: OperationName): { status: string; meaning: string }[] {
  const [, lists = ''] = /<h4>Responses<\/h4>([\s\S]*?)(?:<h4>|<\/div>\n<div class="side"|$)/.exec(section(name)) ?? [];
  return Array.from(
    lists.matchAll(/<code>(\d{3})<\/code><\/div>\n<p>(.*?)<\/p>/g),
    ([, status = '', meaning = '']) => ({ status, meaning }),
  );
}

describe('the reference', () => {
  const ids = all(reference, / id="([^"]+)"/g);
  const [, contents = ''] = /<nav[^>]*>([\s\S]*?)<\/nav>/.exec(reference) ?? [];

  it('links to a section for each operation and guide from its contents', () => {
    const linked = all(contents, /href="#([^"]+)"/g);
    expect(linked).toEqual(all(reference, /<section id="([^"]+)"/g));
    expect(linked).toEqual(expect.arrayContaining(NAMES));
  });

  it('keeps the anchors of earlier releases', () => {
    const guides = 'operations generations deployments authentication rate-limits limits errors';
    expect(ids).toEqual(expect.arrayContaining(guides.split(' ')));
    expect(ids).toContain(RATE_LIMIT_DOCS.split('#')[1]);
  });

  it('has unique ids, including the targets of all links', () => {
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids).toEqual(expect.arrayContaining(all(reference, /href="#([^"]+)"/g)));
    for (const page of ['docs.md', 'llms.txt'])
      expect(ids).toEqual(expect.arrayContaining(all(content(page), /\]\(\/docs#([^)]+)\)/g)));
  });

  it('has the sections that the documents of the repository link to', () => {
    const links = ['README.md', 'docs/tutorial.md'].flatMap((file) =>
      all(readFileSync(file, 'utf8'), /localhost:3000\/docs#([^)]+)\)/g),
    );
    expect(links.length).toBeGreaterThan(5);
    expect(ids).toEqual(expect.arrayContaining(links));
  });

  it('links only to files that the service has, or that other parts of it add', () => {
    const added = [
      '/client.js',
      '/client.d.ts',
      '/api/v1/openapi.json',
      '/api/v1/openapi-3.1.json',
      '/.well-known/agent-skills/index.json',
    ];
    const known = ['/', '/docs', ...added, ...Object.keys(files).map((key) => `/${key}`)];
    const linked = [
      ...['index.html', 'docs/index.html'].flatMap((key) => all(content(key), /href="(\/[^"#]*)/g)),
      ...['index.md', 'docs.md', 'llms.txt'].flatMap((key) => all(content(key), /\]\((\/[^)#]*)/g)),
    ];
    expect(linked.filter((path) => !known.includes(path))).toEqual([]);
  });

  testRows(NAMES)('lists every status of an operation in order', (name) => {
    const { responses, errors }: Operation = OPERATIONS[name];
    const listed = statuses(name).map(({ status }) => Number(status));
    const count = Object.keys(responses).length;
    expect(listed.slice(0, count)).toEqual(Object.keys(responses).map(Number));
    expect(listed.slice(count)).toEqual(errors.map((code) => ERRORS[code].status).toSorted((a, b) => a - b));
  });

  testRows(NAMES)('does not mention other resources in its statuses', (name) => {
    const kind = (path: string) => /\/(generat|deploy|asset|usage)/.exec(path)?.[1];
    const others = /asset|generation|deployment/gi;
    const own: Readonly<Record<string, RegExp>> = {
      generat: /generation/i,
      deploy: /deployment/i,
      asset: /asset/i,
    };
    // A generation can be deployed.
    const both = /^(?:generate|build|deploy|deployStaged|postDeployStaged)$/.test(name)
      ? /generation|deployment/i
      : undefined;
    for (const { status, meaning } of statuses(name)) {
      const foreign = (meaning.match(others) ?? []).filter(
        (word) => !(both ?? own[kind(OPERATIONS[name].path) ?? ''])?.test(word),
      );
      expect({ status, foreign }).toEqual({ status, foreign: [] });
    }
  });

  it('shows the fields of a response once, folds nested ones, and links to them from other operations', () => {
    for (const field of ['generate.response.tokensUsed', 'getGeneration.response.attempts.outcome'])
      expect(ids).toContain(field);
    expect(section('getGeneration')).toMatch(/<details><summary>Fields of attempts<\/summary>/);
    expect(section('getGenerationResult')).toContain('is that of <a href="#generate">Generate a project</a>');
    expect(section('deploy')).toContain('<code>title</code><span>string or null</span>');
    expect(section('getAsset')).toContain(
      '<code>download_url</code><span>string</span><span class="optional">optional</span>',
    );
    expect(section('generate')).toContain(
      '<code>prompt</code><span>string</span><span class="required">required</span>',
    );
  });

  it('has the same operations and fields as Markdown', () => {
    const markdown = content('docs.md');
    for (const name of NAMES)
      expect(markdown).toContain(`### ${OPERATIONS[name].title}\n\n\`${OPERATIONS[name].method} `);
    expect(markdown).toContain('\n- `files` (array of objects): 1 to 200');
    expect(markdown).toContain('\n  - `path` (string, required): ');
    expect(markdown).toContain('Content-Type: text/csv; charset=utf-8\n\n"id","createdAt",');
    expect(markdown).not.toMatch(/\{\{|undefined|\]\(#/);
  });
});

describe('the example of', () => {
  const examples = readExamples();

  testRows(NAMES)('matches its path, statuses and schema', (name) => {
    const { method, path, responses }: Operation = OPERATIONS[name];
    const { request, response } = examples[name] ?? {};
    expect(request?.method).toBe(method);
    expect(request?.path).toMatch(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[\\w.-]+')}(\\?|$)`));
    expect(Object.keys(responses)).toContain(String(response?.status));
    const [, body] = response ? responseText(response).split('\n\n', 2) : [];
    const schema: z.ZodType | undefined = RESPONSES[name].body;
    expect(body === undefined).toBe(schema === undefined);
    if (body !== undefined) schema?.parse(JSON.parse(body.replaceAll(/,\s*…$/gm, '')));
  });

  testRows(NAMES)('contains no usable secret, project id or machine path', (name) => {
    const example = examples[name];
    const curl = example ? curlSample(example, '$BASE') : '';
    const text = curl + (example ? responseText(example.response) : '');
    expect(text).not.toMatch(/pt[dp]_[\w-]|X-Amz-Signature|\/(home|root|tmp|Users)\//);
    expect(all(curl, /"projectId": "(.*)"/g).filter((id) => id !== `'"$PROJECT"'`)).toEqual([]);
  });
});

describe.each([
  ['index.html', " 'strict-dynamic'"],
  ['docs/index.html', ''],
])('%s', (key, others) => {
  const page = content(key);
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];

  it('allows only its own style and scripts', () => {
    const sources = (pattern: RegExp) =>
      all(page, pattern).map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(policy.replaceAll('&#39;', "'").split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        `style-src ${sources(/<style>([\s\S]*?)<\/style>/g).join(' ')}`,
        `script-src ${sources(/<script>([\s\S]*?)<\/script>/g).join(' ')}${others}`,
        "connect-src 'self'",
      ]),
    );
  });

  it('loads with one request of at most 150 KB', () => {
    expect(gzipSync(page).length).toBeLessThan(150_000);
    expect(page).not.toMatch(/<(script|img|iframe)[^>]* src=|<link rel="?stylesheet|@import|url\(/);
  });

  it('links to its twin in Markdown and to its icon', () => {
    const linked = all(page, /<link rel="(?:alternate|icon)" href="\/([^"]+)"/g);
    expect(linked).toHaveLength(2);
    for (const path of linked)
      expect(files[path]?.contentType).toMatch(/^(text\/markdown; charset=utf-8|image\/svg\+xml)$/);
  });
});

it('robots and language models find their files', () => {
  expect(content('robots.txt')).toMatch(/^User-agent: \*\n/);
  expect(content('llms.txt')).toMatch(/^# prompt-to-project\n\n> .+\n\n/);
  expect(content('llms.txt')).not.toContain('{{');
  expect(Buffer.from(files['favicon.ico']?.body ?? '').subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
});

const DAY_MS = 86_400_000;
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/abc';
const contactOf = (config: object) => abuseContact(parseConfig(config, 'of the test'));

const field = (text: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];

it('names the contact as a URI, and the canonical address if the service has a domain', () => {
  const mail = contactOf({ abuse: 'abuse@example.com', domainName: 'ptp.example.com', certificateArn });
  const text = securityText(mail ?? { contact: '', baseUrl: '' }, Date.UTC(2026, 10, 24));
  expect(text).toBe(
    [
      '# Report a single page with the form https://ptp.example.com/report',
      'Contact: mailto:abuse@example.com',
      'Expires: 2027-10-31T23:59:59.000Z',
      'Preferred-Languages: en',
      'Canonical: https://ptp.example.com/.well-known/security.txt',
      '',
    ].join('\n'),
  );
  const page = securityText({ contact: 'https://example.com/abuse?a=1', baseUrl: undefined }, Date.now());
  expect(field(page, 'Contact')).toBe('https://example.com/abuse?a=1');
  expect(field(page, 'Canonical')).toBeUndefined();
});

testRows(['2026-01-01T00:00:00Z', '2026-01-31T23:59:59Z', '2028-02-29T12:00:00Z', '2026-12-31T23:59:59Z'])(
  'expires less than a year ahead, and more than eleven months',
  (now) => {
    const expires = field(securityText({ contact: 'a@example.com', baseUrl: '' }, Date.parse(now)), 'Expires');
    const days = (Date.parse(expires ?? '') - Date.parse(now)) / DAY_MS;
    expect(days).toBeGreaterThan(330);
    expect(days).toBeLessThan(366);
  },
);

it('is a page of stages with a contact only', () => {
  expect(contactOf({})).toBeUndefined();
  expect(servicePages()['.well-known/security.txt']).toBeUndefined();
  const pages = servicePages(undefined, contactOf({ abuse: 'a@example.com' }));
  expect(pages['.well-known/security.txt']).toMatchObject({
    contentType: 'text/plain; charset=utf-8',
    body: expect.stringContaining('Contact: mailto:a@example.com'),
  });
});

testRows([
  'abuse',
  'http://example.com/',
  'a@b',
  'a b@example.com',
  'https://example.com/\nExpires: 1',
  'mailto:a@b.c',
])('refuses what is neither an e-mail address nor an https URL', (abuse) => {
  expect(() => contactOf({ abuse })).toThrow('abuse: must be an e-mail address');
});
