import { oauthConfig } from '../../lambda/contract/oauth.ts';
import { parseConfig } from '../../lib/config.ts';
import { ISSUER as CONFIG } from './stages.ts';
import { propertiesOf, type Template, templateOf } from './templates.ts';

const ISSUER = CONFIG.issuer;
const external = templateOf('lean');
const own = templateOf('full');
const none = templateOf('byDefault');

/** The issuer that the functions accept tokens of. */
const issuerOf = (template: Template) =>
  propertiesOf(template, 'AWS::Lambda::Function')
    .map(({ Environment }) => Environment?.Variables.OAUTH)
    .find((value) => value !== undefined);

describe('with an issuer in the configuration', () => {
  it('passes it to the functions, and creates no user pool', () => {
    const passed = JSON.parse(issuerOf(external));
    expect(passed).toEqual({ ...CONFIG, audience: [CONFIG.audience] });
    expect(oauthConfig.parse(passed)).toEqual(passed);
    expect(JSON.stringify(external)).not.toContain('Cognito');
    expect(Object.keys(external.Outputs ?? {})).not.toContain('TokenUrl');
  });
});

it('without an issuer, creates no user pool, and the functions accept no tokens', () => {
  expect(JSON.stringify(none)).not.toContain('Cognito');
  expect(issuerOf(none)).toBeUndefined();
  expect(Object.keys(none.Outputs ?? {})).not.toContain('TokenUrl');
});

describe('with "cognito"', () => {
  it('nobody can sign up', () => {
    const [{ AdminCreateUserConfig }] = propertiesOf(own, 'AWS::Cognito::UserPool') as [Record<string, unknown>];
    expect(AdminCreateUserConfig).toEqual({ AllowAdminCreateUserOnly: true });
  });

  it('the outputs name the token endpoint, and no secret', () => {
    const { TokenUrl, OAuthClientId, UserPoolId } = own.Outputs ?? {};
    expect([OAuthClientId, UserPoolId]).not.toContain(undefined);
    expect(JSON.stringify(TokenUrl)).toContain('.amazoncognito.com/oauth2/token');
    expect(JSON.stringify(own)).not.toContain('ClientSecret');
  });
});

describe('the configuration', () => {
  const good = { issuer: ISSUER, audience: 'a' };

  it.each([
    [{}, undefined],
    [{ oauth: 'cognito' }, 'cognito'],
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
  ])('accepts %j', (config, expected) => {
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
    [{ ...good, algorithms: ['none'] }, 'oauth: unknown key "algorithms": the keys are issuer, audience,'],
  ])('explains a mistake: %j', (oauth, message) => {
    expect(() => parseConfig({ oauth }, 'c')).toThrow(message);
  });
});
