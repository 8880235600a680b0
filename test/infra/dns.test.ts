import { propertiesOf, resources, synthesized, type Template } from './synthesized.ts';

const arn = (name: string) => `arn:aws:acm:us-east-1:111122223333:certificate/${name}`;
const NAMES = { domainName: 'ptp.example.com', siteDomain: 'ptp-sites.net' };
const ZONES = [
  { id: 'Z1', name: 'example.com' },
  { id: 'Z2', name: 'ptp-sites.net' },
];
const GIVEN = { certificateArn: arn('service'), siteCertificateArn: arn('sites') };

const [made, given, without] = synthesized(
  { ...NAMES, hostedZones: ZONES },
  { ...NAMES, ...GIVEN, hostedZones: [ZONES[0]] },
  { ...NAMES, ...GIVEN },
) as [Template, Template, Template];

const distributions = (
  template: Template,
): Record<string, { id: string; certificate: { AcmCertificateArn: { Ref: string } } }> =>
  Object.fromEntries(
    resources(template, 'AWS::CloudFront::Distribution').map(([id, { Properties }]) => [
      Properties.DistributionConfig.Aliases?.[0],
      { id, certificate: Properties.DistributionConfig.ViewerCertificate },
    ]),
  );
const records = (template: Template) =>
  propertiesOf(template, 'AWS::Route53::RecordSet').map(({ Name, Type, HostedZoneId, AliasTarget }) => [
    Name,
    Type,
    HostedZoneId,
    AliasTarget.DNSName['Fn::GetAtt'][0],
  ]);

it('creates certificates that ACM validates in the zones of the domains', () => {
  const certificates = resources(made, 'AWS::CertificateManager::Certificate');
  const validated = certificates.map(([, { Properties }]) => [
    Properties.DomainName,
    Properties.ValidationMethod,
    Properties.DomainValidationOptions,
  ]);
  expect(validated).toEqual([
    ['ptp.example.com', 'DNS', [{ DomainName: 'ptp.example.com', HostedZoneId: 'Z1' }]],
    ['*.ptp-sites.net', 'DNS', [{ DomainName: '*.ptp-sites.net', HostedZoneId: 'Z2' }]],
  ]);
  // ACM rejects tags with an asterisk.
  for (const [, { Properties }] of certificates)
    expect(Properties.Tags).toEqual([{ Key: 'Name', Value: expect.stringMatching(/^[\w/]+$/) }]);
  const used = Object.values(distributions(made)).map(({ certificate }) => certificate.AcmCertificateArn.Ref);
  expect(used).toEqual(certificates.map(([id]) => id));
});

it('creates A and AAAA aliases in the zones, and no outputs with records', () => {
  const { 'ptp.example.com': service, '*.ptp-sites.net': sites } = distributions(made);
  expect(records(made)).toEqual([
    ['ptp.example.com.', 'A', 'Z1', service?.id],
    ['ptp.example.com.', 'AAAA', 'Z1', service?.id],
    ['*.ptp-sites.net.', 'A', 'Z2', sites?.id],
    ['*.ptp-sites.net.', 'AAAA', 'Z2', sites?.id],
  ]);
  expect(made.Outputs).not.toHaveProperty('DomainRecord');
  expect(made.Outputs).not.toHaveProperty('SiteDomainRecord');
});

it('uses configured certificates, and outputs the records to create without a zone', () => {
  for (const template of [given, without]) {
    expect(resources(template, 'AWS::CertificateManager::Certificate')).toEqual([]);
    const { 'ptp.example.com': service, '*.ptp-sites.net': sites } = distributions(template);
    expect(service?.certificate).toMatchObject({ AcmCertificateArn: arn('service') });
    expect(sites?.certificate).toMatchObject({ AcmCertificateArn: arn('sites') });
  }
  expect(records(given).map(([name]) => name)).toEqual(['ptp.example.com.', 'ptp.example.com.']);
  expect(records(without)).toEqual([]);
  const { 'ptp.example.com': service, '*.ptp-sites.net': sites } = distributions(without);
  const value = (text: string, id: string | undefined) => ({
    Value: { 'Fn::Join': ['', [text, { 'Fn::GetAtt': [id, 'DomainName'] }]] },
  });
  expect(without.Outputs).toMatchObject({
    DomainRecord: value('ptp.example.com CNAME ', service?.id),
    SiteDomainRecord: value('*.ptp-sites.net CNAME ', sites?.id),
  });
  expect(given.Outputs).not.toHaveProperty('DomainRecord');
});

it('keeps the resources of a stage to which zones are added', () => {
  const ids = (template: Template) =>
    Object.entries(template.Resources).flatMap(([id, { Type }]) =>
      /Route53|CertificateManager/.test(Type) ? [] : [id],
    );
  expect(ids(made)).toEqual(ids(without));
});
