import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReleaseRecord, type Upgraded, upgradedOf, upgradeProblems } from '../../bin/deploy/record.ts';
import { readReplacing } from '../../bin/deploy/specification.ts';
import { templateOf } from '../../bin/deploy/synthesize.ts';

const FOLDER = 'test/infra/releases';
const replacing = readReplacing();
const records = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as ReleaseRecord,
);

/** Resources that an upgrade deletes on purpose. */
const LOST: Readonly<Record<string, readonly string[]>> = {
  // The function Fallback was renamed to UsageApi, which has another log group.
  '0.9.0': ['FallbackLogs95A3B70C (AWS::Logs::LogGroup) is removed: the logs of a month'],
};

it('has a record of every release since 0.9.0', () => {
  const releases = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+)/gm)];
  const versions = releases.map(([, version]) => version);
  const since = versions.slice(0, versions.indexOf('0.9.0') + 1);
  expect(records.map(({ version }) => version).toSorted()).toEqual(since.toSorted());
});

it.each(records.map((record) => [record.version, record] as const))(
  'keeps every resource that holds something in an upgrade from %s, in one update',
  (version, record) => {
    const now = upgradedOf(templateOf(record.config), replacing);
    expect(upgradeProblems(record, now)).toEqual(LOST[version] ?? []);
  },
);

describe('an upgrade', () => {
  const index = (name: string, attribute = 'a') => ({
    IndexName: name,
    KeySchema: [{ AttributeName: attribute, KeyType: 'HASH' }],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  });
  const table = (id: string, indexes: object[], key = 'id'): Upgraded =>
    upgradedOf(
      {
        Resources: {
          [id]: {
            Type: 'AWS::DynamoDB::GlobalTable',
            Properties: { KeySchema: [{ AttributeName: key }], GlobalSecondaryIndexes: indexes },
          },
          Unrelated: { Type: 'AWS::Lambda::Function', Properties: {} },
        },
      },
      replacing,
    );
  const named = (id: string): Upgraded =>
    upgradedOf(
      {
        Resources: {
          [id]: { Type: 'AWS::CloudFront::CachePolicy', Properties: { CachePolicyConfig: { Name: 'n' } } },
        },
      },
      replacing,
    );
  const before = table('T', [index('A')]);
  const what = 'T (AWS::DynamoDB::GlobalTable)';

  it.each([
    ['one new index', before, table('T', [index('A'), index('B')]), []],
    ['a removed table', before, table('U', [index('A')]), [`${what} is removed: its items`]],
    [
      'another key',
      before,
      table('T', [index('A')], 'k'),
      [`${what} is replaced by its KeySchema: its items`],
    ],
    [
      'two new indexes',
      before,
      table('T', [index('A'), index('B'), index('C')]),
      [`${what}: +B, +C, but an update can create or delete only one index per table`],
    ],
    [
      'an index that becomes another one',
      before,
      table('T', [index('B')]),
      [`${what}: +B, -A, but an update can create or delete only one index per table`],
    ],
    [
      'an index with another key',
      before,
      table('T', [index('A', 'b')]),
      [`${what}: its index A changes, which CloudFormation rejects`],
    ],
    ['the same name', named('P'), named('P'), []],
    [
      'a name that moves',
      named('P'),
      named('Q'),
      ['P still has the name of Q: AWS::CloudFront::CachePolicy "n"'],
    ],
  ])('with %s', (_, from, to, problems) => {
    expect(upgradeProblems(from, to)).toEqual(problems);
  });
});
