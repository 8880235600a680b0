import { requirePartition } from '../../lib/regions.ts';

it.each([
  ['cn-north-1', 'aws-cn'],
  ['us-gov-west-1', 'aws-us-gov'],
])('rejects %s, which is in the partition %s', (region, partition) => {
  expect(() => requirePartition(region)).toThrow(`${region} is in the partition ${partition}`);
});

it.each(['eu-west-1', 'us-east-1', 'xx-new-1', undefined])('accepts %s', (region) => {
  expect(() => requirePartition(region)).not.toThrow();
});
