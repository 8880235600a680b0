import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { providerConfig } from '../../lambda/contract/providers.ts';
import { parseConfig, stageConfig } from '../../lib/config.ts';
import { codeBlocks } from '../support/markdown.ts';

const DOCUMENT = readFileSync('docs/configuration.md', 'utf8');
type Schema = z.core.JSONSchema.JSONSchema;

/** Providers of these kinds are for tests. */
const isForTests = ({ properties }: Schema) => (properties?.kind as Schema | undefined)?.const === 'scripted';

/** Returns the default of each key in dotted notation; keys of providers have no prefix. */
function keysOf(schema: Schema, path = ''): Map<string, unknown> {
  const keys = new Map<string, unknown>();
  for (const alternative of [schema, ...(schema.anyOf ?? schema.oneOf ?? [])] as Schema[]) {
    if (isForTests(alternative)) continue;
    for (const [name, property] of Object.entries(alternative.properties ?? {}) as [string, Schema][]) {
      const key = `${path}${name}`;
      const inner = key === 'providers' ? providerKeys(property) : keysOf(property, `${key}.`);
      if (inner.size === 0) keys.set(key, property.default);
      for (const [innerKey, value] of inner) keys.set(innerKey, value);
    }
  }
  return keys;
}

function providerKeys({ additionalProperties }: Schema): Map<string, unknown> {
  const keys = keysOf(additionalProperties as Schema);
  keys.delete('kind');
  return keys;
}

/** The keys in the tables of the document, with their defaults as shown. */
const documented = new Map(
  Array.from(DOCUMENT.matchAll(/^\| `([\w.]+)` \| (.*?) \| .* \|$/gm), ([, key = '', shown = '']) => [key, shown]),
);

const keys = keysOf(z.toJSONSchema(stageConfig, { io: 'input', unrepresentable: 'any' }));

describe('docs/configuration.md', () => {
  it('has every key of the configuration, and no other', () => {
    expect(keys.size).toBeGreaterThan(25);
    expect([...documented.keys()].toSorted()).toEqual([...keys.keys()].toSorted());
  });

  it('has the defaults of the schema', () => {
    const defaults = [...keys].filter(([, value]) => value !== undefined);
    expect(defaults.length).toBeGreaterThan(8);
    expect(Object.fromEntries(defaults.map(([key]) => [key, documented.get(key)]))).toEqual(
      Object.fromEntries(defaults.map(([key, value]) => [key, `\`${JSON.stringify(value)}\``])),
    );
  });

  it('has every kind of provider', () => {
    const [, table = ''] = /^\| `kind` \| provider \|\n([\s\S]*?)\n\n/m.exec(DOCUMENT) ?? [];
    const shown = Array.from(table.matchAll(/^\| `([\w-]+)` \|/gm), ([, kind]) => kind);
    const kinds = providerConfig.options.map(({ shape }) => shape.kind.value);
    expect([...shown, 'scripted'].toSorted()).toEqual(kinds.toSorted());
  });

  it('has examples that are valid', () => {
    const examples = codeBlocks(DOCUMENT).filter(({ language }) => language === 'json');
    expect(examples.length).toBeGreaterThan(3);
    for (const { code, line } of examples) parseConfig(JSON.parse(code), `in line ${line}`);
  });
});
