import type { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { cloudFrontTenants } from '../../../../lambda/deployments/domains/tenants.ts';
import { testRows } from '../../../support/rows.ts';

/** Returns the outcome of creating a tenant when CloudFront responds with an error. */
function creation(name: string, message = ''): Promise<unknown> {
  const send = () => Promise.reject(Object.assign(new Error(message), { name }));
  const settings = { distributionId: 'E1', connectionGroupId: 'cg_1', stackName: 'stack' };
  const tenants = cloudFrontTenants({ send } as unknown as CloudFrontClient, settings);
  return tenants.create('www.shop.com', 'hpofctv62tkj').catch((error: Error) => error.message);
}

const INVALID = 'InvalidArgument';

testRows([
  [
    INVALID,
    'The provided Domain Name is not valid. Could not verify Domain Name ownership. It may not be pointing to a valid CloudFront resource.',
    { refused: 'not_pointed' },
  ],
  [INVALID, 'The parameter Tags is invalid.', 'The parameter Tags is invalid.'],
  ['CNAMEAlreadyExists', 'In use', { refused: 'taken' }],
  ['EntityLimitExceeded', 'Too many', { refused: 'full' }],
])('waits for DNS only if the error is about it', async (name, message, outcome) => {
  expect(await creation(name, message)).toEqual(outcome);
});
