import { readFileSync } from 'node:fs';
import { validate } from '../infra/synthesized.ts';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as object;

it('the templates of all kinds of configurations are valid', () => {
  validate(
    read('config/default.json'),
    read('test/support/cloud/config.json'),
    { siteDomain: 'sites.localhost' },
    { oauth: 'cognito' },
    { waf: true, siteDomain: 'sites.example.com', siteCertificateArn: certificate('sites') },
    {
      domainName: 'ptp.example.com',
      siteDomain: 'sites.example.net',
      hostedZones: [
        { id: 'Z1', name: 'example.com' },
        { id: 'Z2', name: 'example.net' },
      ],
    },
    {
      domainName: 'ptp.example.com',
      certificateArn: certificate('abc'),
      siteDomain: 'sites.example.com',
      siteCertificateArn: certificate('sites'),
      oauth: { issuer: 'https://example.eu.auth0.com/', audience: 'https://api.example.com' },
      providers: {
        'provider-a': { kind: 'anthropic', model: 'm', apiKey: 'ANTHROPIC_API_KEY' },
        'provider-b': { kind: 'bedrock', model: 'zai.glm-4.6', region: 'eu-west-1' },
        'provider-c': { kind: 'bedrock', model: 'us.anthropic.claude-x-v1:0' },
      },
    },
  );
});

const certificate = (name: string) => `arn:aws:acm:us-east-1:111122223333:certificate/${name}`;
