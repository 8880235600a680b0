import { Client } from '../../../../client/client.ts';
import type { OperationName } from '../../../../lambda/contract/operations.ts';
import { readExamples, samplesOf } from '../../../../web/reference/examples.ts';
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
