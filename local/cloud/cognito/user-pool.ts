import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secrets } from '../secrets.ts';
import type { Stack } from '../template/stack.ts';
import { type Client, Issuer } from './issuer.ts';
import {
  ClientProperties,
  DomainProperties,
  ResourceServerProperties,
  UserPoolProperties,
} from './properties.ts';

const ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Returns the issuer for the template's user pool, if it has one. */
export function readIssuer(stack: Stack, secrets: Secrets, stateDir: string): Issuer | undefined {
  const [pool, ...more] = stack.all('AWS::Cognito::UserPool', UserPoolProperties);
  if (more.length > 0)
    throw new Error('The local cloud supports one AWS::Cognito::UserPool, but the template has more');
  const servers = stack.all('AWS::Cognito::UserPoolResourceServer', ResourceServerProperties);
  const scopes = servers.flatMap(({ properties }) =>
    properties.Scopes.map(({ ScopeName }) => `${properties.Identifier}/${ScopeName}`),
  );
  const clients = stack
    .all('AWS::Cognito::UserPoolClient', ClientProperties)
    .map(({ ref, logicalId, properties }): Client => {
      const unknown = properties.AllowedOAuthScopes.filter((scope) => !scopes.includes(scope));
      if (unknown.length > 0) throw new Error(`${logicalId}: no resource server has ${unknown.join(', ')}`);
      const secret = secrets.derive(`oauth-client/${ref}`, 51, ALPHANUMERIC);
      return { id: ref, secret, scopes: properties.AllowedOAuthScopes };
    });
  stack.all('AWS::Cognito::UserPoolDomain', DomainProperties);
  return pool && new Issuer(stack.target.frontDoor, clients, signingKey(join(stateDir, 'oauth-key.pem')));
}

/** Returns the signing key from the state folder, so that tokens survive a restart. */
function signingKey(path: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return privateKey;
}
