import { createHash } from 'node:crypto';
import { Client } from '../../../../client/client.ts';
import type { OperationName } from '../../../../lambda/contract/operations.ts';
import { servicePages } from '../../../../web/pages.ts';
import { readExamples, samplesOf } from '../../../../web/reference/samples.ts';
import { testRows } from '../../../support/rows.ts';

const client = new Client({ baseUrl: 'http://localhost:3000' });
const CALL = /\bclient\.([\w.]+)\(/;

/** Returns the type of what a path such as `deployments.get` leads to. */
function typeAt(path: string): string {
  let value: unknown = client;
  for (const name of path.split('.')) value = (value as Record<string, unknown>)[name];
  return typeof value;
}

testRows(Object.keys(readExamples()) as OperationName[])(
  'the sample of an operation calls a method that the client has',
  (name) => {
    const example = readExamples()[name];
    if (!example) throw new Error(`There is no example of ${name}`);
    const samples = samplesOf(name, example, 'http://localhost:3000');
    const [, method] = CALL.exec(samples.client) ?? [];
    if (method === undefined) expect(samples.client).toBe(samples.fetch);
    else expect(typeAt(method)).toBe('function');
  },
);

const INDEX = '.well-known/agent-skills/index.json';

it('has an index of the skill, with the digest of the file that is served', () => {
  const { [INDEX]: file } = servicePages();
  expect(file?.contentType).toBe('application/json');
  const index = JSON.parse(String(file?.body));
  expect(index).toEqual({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: 'prompt-to-project',
        type: 'skill-md',
        description: expect.any(String),
        url: '/.well-known/agent-skills/prompt-to-project/SKILL.md',
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      },
    ],
  });
  const [{ url, digest, name, description }] = index.skills;
  const skill = servicePages()[url.slice(1)];
  expect(skill?.contentType).toBe('text/markdown; charset=utf-8');
  expect(digest).toBe(`sha256:${createHash('sha256').update(String(skill?.body)).digest('hex')}`);
  // The limits of the format: agents load the description of every skill, and the body of those that they use.
  expect(description.length).toBeLessThanOrEqual(1_024);
  expect(String(skill?.body)).toContain(`---\nname: ${name}\ndescription: ${description}\n`);
  expect(String(skill?.body).split('\n').length).toBeLessThan(500);
});
