import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { oauthConfig } from '../../lambda/contract/oauth.ts';
import { OAuth } from '../../lib/access/oauth.ts';
import { parseConfig } from '../../lib/config.ts';

const ISSUER = 'https://example.eu.auth0.com/';

function synthesized(config?: object): Template {
  const stack = new Stack(new App(), 'Test');
  const fn = new LambdaFunction(stack, 'Fn', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('0'),
  });
  new OAuth(stack, 'OAuth', config && oauthConfig.parse(config)).grant(fn);
  return Template.fromStack(stack);
}

describe('with an issuer in the configuration', () => {
  const config = {
    issuer: ISSUER,
    audience: 'https://api.example.com',
    scopePrefix: 'https://api.example.com',
  };
  const template = synthesized(config);

  it('the functions are told of it, and nothing is made', () => {
    const [{ Properties }] = Object.values(template.findResources('AWS::Lambda::Function')) as [
      { Properties: { Environment: { Variables: { OAUTH: string } } } },
    ];
    const told = JSON.parse(Properties.Environment.Variables.OAUTH);
    expect(told).toEqual({ ...config, audience: [config.audience] });
    expect(oauthConfig.parse(told)).toEqual(told);
    expect(JSON.stringify(template.toJSON())).not.toContain('Cognito');
    expect(template.toJSON().Outputs).toBeUndefined();
  });
});

describe('without one', () => {
  const template = synthesized();

  it('there is a user pool that nobody signs up to', () => {
    template.hasResource('AWS::Cognito::UserPool', {
      DeletionPolicy: 'Delete',
      Properties: { AdminCreateUserConfig: { AllowAdminCreateUserOnly: true } },
    });
  });

  it('a client with a secret gets tokens with the scope for itself, and no other way', () => {
    template.hasResourceProperties('AWS::Cognito::UserPoolResourceServer', {
      Identifier: 'ptp',
      Scopes: [{ ScopeName: 'assets:write' }],
    });
    template.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthScopes: [
        { 'Fn::Join': ['', [{ Ref: Match.stringLikeRegexp('UserPoolApi') }, '/assets:write']] },
      ],
      GenerateSecret: true,
    });
  });

  it('the functions take the tokens of that client', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: {
          OAUTH: {
            'Fn::Join': [
              '',
              [
                '{"issuer":"https://',
                { 'Fn::GetAtt': [Match.stringLikeRegexp('UserPool'), 'ProviderName'] },
                '","audience":["',
                { Ref: Match.stringLikeRegexp('UserPoolClient') },
                '"],"scopePrefix":"ptp","jwksUri":"https://',
                { 'Fn::GetAtt': [Match.stringLikeRegexp('UserPool'), 'ProviderName'] },
                '/.well-known/jwks.json"}',
              ],
            ],
          },
        },
      },
    });
  });

  it('the outputs say where tokens come from, and no secret', () => {
    const outputs = template.toJSON().Outputs;
    expect(Object.keys(outputs).toSorted()).toEqual(['OAuthClientId', 'TokenUrl', 'UserPoolId']);
    expect(JSON.stringify(outputs.TokenUrl)).toContain('.amazoncognito.com/oauth2/token');
    expect(JSON.stringify(template.toJSON())).not.toContain('ClientSecret');
  });
});

describe('the configuration', () => {
  const good = { issuer: ISSUER, audience: 'a' };

  it.each([
    [{}, undefined],
    [{ oauth: good }, { issuer: ISSUER, audience: ['a'] }],
    [
      {
        oauth: {
          issuer: 'http://localhost:8080/realms/x',
          audience: ['a', 'b'],
          jwksUri: 'https://e.com/k?p=1',
        },
      },
      { issuer: 'http://localhost:8080/realms/x', audience: ['a', 'b'], jwksUri: 'https://e.com/k?p=1' },
    ],
  ])('%j is taken', (config, expected) => {
    expect(parseConfig(config, 'c').oauth).toEqual(expected);
  });

  it.each<[object, string]>([
    [{ audience: 'a' }, 'oauth.issuer: issuer is required: the iss claim of the tokens'],
    [{ ...good, issuer: 'example.eu.auth0.com' }, 'oauth.issuer: must be an https URL'],
    [{ ...good, issuer: 'http://example.com' }, 'oauth.issuer: must be an https URL'],
    [{ ...good, issuer: 'http://localhost.example.com' }, 'oauth.issuer: must be an https URL'],
    [{ ...good, issuer: 'https://u:p@example.com' }, 'oauth.issuer: must be an https URL'],
    [{ ...good, issuer: 'https://example.com?tenant=1' }, 'oauth.issuer: must be an https URL'],
    [{ issuer: ISSUER }, 'oauth.audience: audience is required: the aud claim of the tokens'],
    [{ ...good, audience: [] }, 'oauth.audience: audience is empty'],
    [{ ...good, audience: '' }, 'oauth.audience.0: audience is empty'],
    [{ ...good, audience: 7 }, 'oauth.audience: audience must be an array, not a number'],
    [{ ...good, scopePrefix: '' }, 'oauth.scopePrefix: scopePrefix is empty'],
    [{ ...good, jwksUri: 'ftp://example.com' }, 'oauth.jwksUri: must be an https URL'],
    [{ ...good, algorithms: ['none'] }, 'oauth: there is no key "algorithms"; known are issuer, audience,'],
  ])('%j is refused with a sentence', (oauth, sentence) => {
    expect(() => parseConfig({ oauth }, 'c')).toThrow(sentence);
  });
});
