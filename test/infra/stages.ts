const certificate = (id: number) =>
  `arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-0000-0000-00000000000${id}`;

/** The configurations of the default stage, and of a stage with every option. */
export const STAGES = [
  {},
  {
    waf: true,
    customDomains: true,
    logs: { api: true },
    alarms: { page: ['https://example.com/page'], ticket: ['me@example.com'] },
    domainName: 'ptp.example.net',
    certificateArn: certificate(1),
    siteDomain: 'sites.example.com',
    siteCertificateArn: certificate(2),
    oauth: 'cognito',
    providers: {
      'provider-a': { kind: 'anthropic', model: 'm', apiKey: 'ANTHROPIC_API_KEY' },
      'provider-b': { kind: 'bedrock', model: 'zai.glm-4.6', region: 'eu-west-1' },
      'provider-c': { kind: 'bedrock', model: 'us.anthropic.claude-x-v1:0' },
    },
  },
];
