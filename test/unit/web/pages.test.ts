import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { RATE_LIMIT_DOCS } from '../../../lambda/contract/limits.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../../lambda/contract/operations.ts';
import { RESPONSES } from '../../../lambda/contract/responses/operations.ts';
import { readExamples } from '../../../web/examples.ts';
import { referencePage } from '../../../web/reference.ts';
import { startPage } from '../../../web/start.ts';

const NAMES = Object.keys(OPERATIONS) as OperationName[];
const reference = referencePage();

const all = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = '']) => found);

/** Returns the section of an operation. */
function section(name: OperationName): string {
  const [, rest = ''] = reference.split(`<h3 id="${name}">`);
  return rest.split(/<h[23] /, 1)[0] ?? '';
}

/** Returns the rows of an operation's table of statuses. */
function statuses(name: OperationName): { status: string; meaning: string }[] {
  const [, table = ''] = /<h4>Responses<\/h4>([\s\S]*?)<\/table>/.exec(section(name)) ?? [];
  return Array.from(
    table.matchAll(/<tr><td><code>(\d+)<\/code><\/td><td>(.*?)<\/td>/g),
    ([, status = '', meaning = '']) => ({ status, meaning }),
  );
}

describe('the reference', () => {
  const ids = all(reference, / id="([^"]+)"/g);

  it('has an id and a link for each operation', () => {
    const [, nav = ''] = /<nav[^>]*>([\s\S]*?)<\/nav>/.exec(reference) ?? [];
    expect(ids).toEqual(expect.arrayContaining(NAMES));
    expect(all(nav, /href="#([^"]+)"/g)).toEqual(ids);
  });

  it('has unique ids, including the targets of all links', () => {
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids).toEqual(expect.arrayContaining(all(reference, /href="#([^"]+)"/g)));
    expect(ids).toContain(RATE_LIMIT_DOCS.split('#')[1]);
  });

  it.each(NAMES)('lists every status of %s in order', (name) => {
    const { responses, errors }: Operation = OPERATIONS[name];
    const listed = statuses(name).map(({ status }) => Number(status));
    expect(listed).toHaveLength(Object.keys(responses).length + errors.length);
    expect(listed).toEqual(listed.toSorted((a, b) => a - b));
  });

  it.each(NAMES)('does not mention other resources in the statuses of %s', (name) => {
    const kind = (path: string) => /\/(generat|deploy|asset|usage)/.exec(path)?.[1];
    const others = /asset|generation|deployment/gi;
    const own: Readonly<Record<string, RegExp>> = {
      generat: /generation/i,
      deploy: /deployment/i,
      asset: /asset/i,
    };
    for (const { status, meaning } of statuses(name)) {
      const foreign = (meaning.match(others) ?? []).filter(
        (word) => !own[kind(OPERATIONS[name].path) ?? '']?.test(word),
      );
      expect({ status, foreign }).toEqual({ status, foreign: [] });
    }
  });

  it('shows the fields of a response once and links to them from other operations', () => {
    for (const field of ['tokensUsed', 'fileCount', 'attempts[].outcome'])
      expect(section('generate') + section('getGeneration')).toContain(`<td><code>${field}</code></td>`);
    expect(section('getGenerationResult')).toContain('Same as for <a href="#generate">');
    expect(section('deploy')).toContain('<td><code>title</code></td><td>string or null</td>');
    expect(section('getAsset')).toContain('<td><code>download_url</code></td><td>string, optional</td>');
  });
});

describe('the example of', () => {
  const examples = readExamples();

  it.each(NAMES)('%s matches its path, statuses and schema', (name) => {
    const { method, path, responses }: Operation = OPERATIONS[name];
    const { curl = '', response = '' } = examples[name] ?? {};
    const sent = / -X (\w+) /.exec(curl)?.[1] ?? (curl.includes(' -d ') ? 'POST' : 'GET');
    expect(sent).toBe(method);
    const url = new RegExp(`"\\$BASE${path.replaceAll(/\{\w+\}/g, '[\\w-]+')}[?"]`);
    expect(curl).toMatch(url);

    const [head = '', body] = response.split('\n\n', 2);
    expect(Object.keys(responses)).toContain(/^HTTP\/1.1 (\d+) /.exec(head)?.[1]);
    const schema: z.ZodType | undefined = RESPONSES[name].body;
    expect(body === undefined).toBe(schema === undefined);
    if (body !== undefined) schema?.parse(JSON.parse(body.replaceAll(/,\s*…$/gm, '')));
  });

  it.each(NAMES)('%s contains no usable secret, project id or machine path', (name) => {
    const { curl = '', response = '' } = examples[name] ?? {};
    expect(curl + response).not.toMatch(/pt[dp]_[\w-]|X-Amz-Signature|\/(home|root|tmp|Users)\//);
    expect(all(curl, /"projectId": "(.*)"/g).filter((id) => id !== `'"$PROJECT"'`)).toEqual([]);
  });
});

it.each([
  ['start page', startPage()],
  ['reference', reference],
])('the policy of the %s allows only its own style and script', (_, page) => {
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
  const directives = policy.replaceAll('&#39;', "'").split('; ');
  const source = (tag: string) => {
    const [, text = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page) ?? [];
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  expect(directives).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      `style-src ${source('style')}`,
      `script-src ${source('script')}`,
    ]),
  );
});
