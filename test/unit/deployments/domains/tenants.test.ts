import type { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { acceptDomain } from '../../../../lambda/deployments/domains/dns.ts';
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

const AWS = { baseUrl: 'https://ptp.example.com', siteOrigin: 'https://*.sites.example.net' };
const LAPTOP = { baseUrl: 'http://localhost:3000', siteOrigin: 'http://*.sites.localhost:3000' };

testRows([
  ['www.shop.test.com', 'www.shop.test.com'],
  ['Shop.COM.', 'shop.com'],
  ['b%C3%BCcher.de', 'xn--bcher-kva.de'],
  ['notptp.example.com', 'notptp.example.com'],
])('accepts a domain name, and returns it in lower case and Punycode', (sent, accepted) => {
  expect(acceptDomain(sent, AWS)).toBe(accepted);
});

testRows([
  ['com', 'no domain name'],
  ['192.0.2.1', 'no domain name'],
  ['0x7f.1', 'no domain name'],
  ['*.shop.com', 'no domain name'],
  ['_ptp-challenge.shop.com', 'no domain name'],
  ['shop.com:443', 'no domain name'],
  ['shop.com%2Fpath', 'no domain name'],
  [`${'a'.repeat(61)}.com`, 'at most 64'],
  ['ptp.example.com', 'belongs to the service'],
  ['a.ptp.example.com', 'belongs to the service'],
  ['abcdefghijkl.sites.example.net', 'belongs to the service'],
  ['d1.cloudfront.net', 'belongs to the service'],
  ['x.localhost', 'certificate'],
  ['shop.test', 'certificate'],
  ['printer.local', 'certificate'],
])('rejects what is no name of a public domain, or is not the caller’s', (sent, reason) => {
  expect(() => acceptDomain(sent, AWS)).toThrow(
    expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(reason) }),
  );
});

it('accepts names of this machine on a laptop, but not its own', () => {
  expect(acceptDomain('Anything.localhost', LAPTOP)).toBe('anything.localhost');
  for (const own of ['sites.localhost', 'abcdefghijkl.sites.localhost'])
    expect(() => acceptDomain(own, LAPTOP)).toThrow('belongs to the service');
  expect(() => acceptDomain('localhost', LAPTOP)).toThrow('no domain name');
  expect(() => acceptDomain('shop.test', LAPTOP)).toThrow('certificate');
});
