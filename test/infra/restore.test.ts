import { NOT_RESTORED, RESTORED } from '../../cli/restore/items.ts';
import { propertiesOf, type Resource, resources, synthesized, type Template } from './synthesized.ts';

const [template] = synthesized({ siteDomain: 'sites.localhost', waf: true, customDomains: true }) as [
  Template,
];

const KINDS = {
  table: 'AWS::DynamoDB::GlobalTable',
  bucket: 'AWS::S3::Bucket',
  secret: 'AWS::SecretsManager::Secret',
};
const all = Object.entries(KINDS).flatMap(([kind, type]) =>
  resources(template, type).map(([id, resource]): [string, string, Resource] => [
    kind,
    id.replace(/[0-9A-F]{8}$/, ''),
    resource,
  ]),
);
const idsOf = (wanted: string) => all.filter(([kind]) => kind === wanted).map(([, id]) => id);

it('restores each table, bucket and secret of the stack, or documents why not', () => {
  const restored = RESTORED.map(({ kind, logicalId }) => `${kind} ${logicalId}`);
  const others = all.map(([kind, id]) => `${kind} ${id}`).filter((one) => !restored.includes(one));
  expect(restored.filter((one) => !all.some(([kind, id]) => `${kind} ${id}` === one))).toEqual([]);
  const reasons = { ...NOT_RESTORED };
  const unexplained = others.filter((one) => !((one.split(' ')[1] as string) in reasons));
  expect(unexplained).toEqual([]);
  expect(Object.keys(reasons).toSorted()).toEqual(others.map((one) => one.split(' ')[1]).toSorted());
});

it('restores only resources that are retained and recoverable', () => {
  for (const { kind, logicalId } of RESTORED) {
    const [, , resource] = all.find(([, id]) => id === logicalId) as [string, string, Resource];
    expect([logicalId, resource.DeletionPolicy]).toEqual([logicalId, 'RetainExceptOnCreate']);
    expect([logicalId, resource.UpdateReplacePolicy]).toEqual([logicalId, 'Retain']);
    const { Replicas, VersioningConfiguration } = resource.Properties;
    if (kind === 'table')
      expect(Replicas[0].PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    if (kind === 'bucket') expect(VersioningConfiguration).toEqual({ Status: 'Enabled' });
  }
});

it('lets no function read or delete versions of deleted objects', () => {
  const actions = propertiesOf(template, 'AWS::IAM::Policy').flatMap(({ PolicyDocument }) =>
    (PolicyDocument.Statement as { Action: string | string[] }[]).flatMap(({ Action }) => Action),
  );
  expect(actions.filter((action) => /^s3:(Get|Delete|List|Restore)\w*Version|^s3:\*/.test(action))).toEqual(
    [],
  );
  expect(idsOf('bucket')).toContain('DeploymentsArchives');
});
