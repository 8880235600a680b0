import type { Tenant } from './tenant.ts';
import { element } from './xml-tree.ts';

/** Returns a tenant as the API describes it. */
export function describeTenant(tenant: Tenant, arn: string): string {
  const { record, state, enabled, domainStatus } = tenant;
  const certificate = state.configured?.certificateArn;
  return element('DistributionTenant', [
    element('Id', record.id),
    element('DistributionId', record.distributionId),
    element('Name', record.name),
    element('Arn', arn),
    element(
      'Domains',
      record.domains.map((domain) => item('member', { Domain: domain, Status: domainStatus })),
    ),
    element('Tags', [element('Items', pairs(record.tags, 'Key', 'Tag'))]),
    ...(certificate === undefined
      ? []
      : [element('Customizations', [element('Certificate', [element('Arn', certificate)])])]),
    element('Parameters', pairs(record.parameters, 'Name')),
    element('ConnectionGroupId', record.connectionGroupId),
    element('CreatedTime', new Date(record.createdAt).toISOString()),
    element('LastModifiedTime', new Date(record.modifiedAt).toISOString()),
    element('Enabled', String(enabled)),
    element('Status', state.status),
  ]);
}

/** Returns the certificate of a tenant as the API describes it. */
export function describeCertificate({ record }: Tenant, isIssued: boolean): string {
  return element('ManagedCertificateDetails', [
    element('CertificateArn', record.certificate.arn),
    element('CertificateStatus', isIssued ? 'issued' : 'pending-validation'),
    element('ValidationTokenHost', 'cloudfront'),
  ]);
}

/** Returns what the API says of the DNS records of domains. */
export function describeDns(domains: readonly string[], isValid: boolean): string {
  const status = isValid ? 'valid-configuration' : 'invalid-configuration';
  const reason = isValid ? {} : { Reason: 'The domain does not point to the routing endpoint' };
  const list = domains.map((domain) =>
    item('DnsConfiguration', { Domain: domain, Status: status, ...reason }),
  );
  return element('VerifyDnsConfigurationResult', [element('DnsConfigurationList', list)]);
}

function pairs(values: Readonly<Record<string, string>>, name: string, of = 'member'): string[] {
  return Object.entries(values).map(([key, value]) => item(of, { [name]: key, Value: value }));
}

function item(of: string, fields: Readonly<Record<string, string>>): string {
  return element(
    of,
    Object.entries(fields).map(([name, value]) => element(name, value)),
  );
}
