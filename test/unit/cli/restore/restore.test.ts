import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import {
  becomesPrivate,
  isRecordOfRequest,
  keepingDecisions,
  restoredIn,
  withoutTenants,
} from '../../../../cli/restore/items.ts';
import { objectOfAsset, objectsOfDeployment } from '../../../../cli/restore/objects.ts';
import { each } from '../../../../cli/restore/progress.ts';
import { recoveredName } from '../../../../cli/restore/tables.ts';
import { stackResources } from '../../../../cli/stage.ts';

const N = (value: number) => ({ N: String(value) });
const LIVE = {
  id: { S: 'abc' },
  live: { S: 'v2' },
  'version:v1': { M: { bytes: N(1) } },
  'version:v2': { M: { built: N(9) } },
  'announced:v3': N(1),
};

describe('a restored item', () => {
  it('references the objects of all versions, unless it is deleted or not a deployment', () => {
    const { prefix, objects } = objectsOfDeployment(LIVE);
    expect(prefix).toBe('sites/abc/');
    expect(objects.map(({ key, required }) => `${key} ${required}`)).toEqual([
      'sites/abc/v1.zip true',
      'sites/abc/v1.look false',
      'sites/abc/v2.zip true',
      'sites/abc/v2.look false',
      'sites/abc/v2.built true',
    ]);
    expect(objectsOfDeployment({ ...LIVE, deletedAt: N(1) }).objects).toEqual([]);
    expect(objectsOfDeployment({ id: { S: 'held:abc' }, createdAt: N(1) }).objects).toEqual([]);
    const asset = (state: string) => objectOfAsset({ asset_id: { S: 'x' }, state: { S: state } }).objects;
    expect(asset('uploaded')).toEqual([{ key: 'assets/x', required: true }]);
    expect(asset('pending')).toEqual([{ key: 'assets/x', required: false }]);
  });

  it('is not the record of a request', () => {
    const ids = ['once:x', 'abc', 'held:abc', 'from:x:abc', 'domains:key:x', 'invalidations:2026-11'];
    expect(ids.filter((id) => isRecordOfRequest({ id: { S: id } }))).toEqual(['once:x']);
  });

  it('keeps decisions against its page, but no other later changes', () => {
    const takenDown = { M: { at: N(2) } };
    const access = { M: { type: { S: 'link' } } };
    const present = { ...LIVE, live: { S: 'v9' }, deletedAt: N(3), takenDown, access };
    expect(keepingDecisions(LIVE, present)).toEqual({ ...LIVE, takenDown, access });
    expect(keepingDecisions({ ...LIVE, access, takenDown }, LIVE)).toEqual({ ...LIVE, access, takenDown });
    const closed = [becomesPrivate({ ...LIVE, access }, LIVE), becomesPrivate({ ...LIVE, access }, present)];
    expect(closed).toEqual([true, false]);
  });

  it('has failed domains in another stack', () => {
    const domain = { proof: { S: 'p' }, state: { S: 'active' }, tenant: { S: 'dt_1' } };
    expect(withoutTenants({ ...LIVE, 'domain:a.example': { M: domain } })).toEqual({
      ...LIVE,
      'domain:a.example': {
        M: {
          proof: { S: 'p' },
          state: { S: 'failed' },
          reason: { S: expect.stringContaining('add the domain') },
        },
      },
    });
  });
});

it('derives the names of temporary tables from their time, to the second', () => {
  expect(recoveredName('t', new Date('2026-11-24T03:00:00Z'))).toBe('t-at-20261124T030000Z');
});

it('finds resources by logical ids without their hashes', () => {
  const found = restoredIn({ DeploymentsD6169625: 'a', DeploymentsViewsTable83285B40: 'b', Other: 'c' });
  expect(found).toEqual({ deployments: 'a' });
});

describe('each', () => {
  async function* numbers(count: number) {
    for (let n = 0; n < count; n++) yield n;
  }

  it('processes all items, several at the same time', async () => {
    const seen: number[] = [];
    let [running, most] = [0, 0];
    await each(numbers(100), async (n) => {
      most = Math.max(most, ++running);
      await sleep(1);
      running--;
      seen.push(n);
    });
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    expect(most).toBe(32);
  });

  it('throws the first error once pending calls have ended', async () => {
    let ended = 0;
    const run = each(numbers(1_000), async (n) => {
      await sleep(1);
      if (n === 5) throw new Error('five');
      ended++;
    });
    await expect(run).rejects.toThrow('five');
    expect(ended).toBeLessThan(100);
  });
});

it('finds the retained resources of the last deleted stack with a name', async () => {
  const sent: unknown[] = [];
  const answers = (name: string, { StackName }: { StackName?: string }) => {
    if (name === 'ListStacksCommand')
      return {
        StackSummaries: [
          { StackName: 'other', StackId: 'id-0' },
          { StackName: 'gone', StackId: 'id-2' },
          { StackName: 'gone', StackId: 'id-1' },
        ],
      };
    if (StackName === 'gone') throw new Error('Stack with id gone does not exist');
    return {
      StackResourceSummaries: [
        { LogicalResourceId: 'Kept', PhysicalResourceId: 'k', ResourceStatus: 'DELETE_SKIPPED' },
        { LogicalResourceId: 'Gone', PhysicalResourceId: 'g', ResourceStatus: 'DELETE_COMPLETE' },
      ],
    };
  };
  const client = Object.assign(Object.create(CloudFormationClient.prototype), {
    send: async (command: { constructor: { name: string }; input: { StackName?: string } }) => {
      sent.push(command.input.StackName);
      return answers(command.constructor.name, command.input);
    },
    destroy: () => {},
  });
  expect(await stackResources('gone', client)).toEqual({ Kept: 'k' });
  expect(sent).toEqual(['gone', undefined, 'id-2']);
});
