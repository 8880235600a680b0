import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateJwkThumbprint, type JWK, SignJWT } from 'jose';
import * as z from 'zod';
import { type HeaderList, type HttpRequest, type HttpResponse, header, jsonResponse, readBody } from './http.ts';
import type { Secrets } from './secrets-manager.ts';
import type { Stack } from './template/stack.ts';
import { noLocalEffect } from './template/template.ts';

const UserPoolProperties = z.strictObject({
  UserPoolName: z.string().optional(),
  // The local pool has no users who sign up or in.
  AccountRecoverySetting: noLocalEffect,
  AdminCreateUserConfig: noLocalEffect,
  EmailVerificationMessage: noLocalEffect,
  EmailVerificationSubject: noLocalEffect,
  SmsVerificationMessage: noLocalEffect,
  VerificationMessageTemplate: noLocalEffect,
  // Deletion and billing have no local effect.
  DeletionProtection: noLocalEffect,
  UserPoolTags: noLocalEffect,
  UserPoolTier: noLocalEffect,
});

const ResourceServerProperties = z.strictObject({
  UserPoolId: z.string(),
  Identifier: z.string(),
  Name: z.string(),
  Scopes: z.array(z.strictObject({ ScopeName: z.string(), ScopeDescription: z.string() })).default([]),
});

/** Clients with the client credentials grant, since the local pool has no users. */
const ClientProperties = z.strictObject({
  UserPoolId: z.string(),
  ClientName: z.string().optional(),
  AllowedOAuthFlows: z.tuple([z.literal('client_credentials')]),
  AllowedOAuthFlowsUserPoolClient: z.literal(true),
  AllowedOAuthScopes: z.array(z.string()),
  GenerateSecret: z.literal(true),
  SupportedIdentityProviders: noLocalEffect,
});

const DomainProperties = z.strictObject({ UserPoolId: z.string(), Domain: z.string() });

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
  return pool && new Issuer(stack.target.frontDoor, clients, () => signingKey(join(stateDir, 'oauth-key.pem')));
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

/** A client with the client credentials grant. */
interface Client {
  readonly id: string;
  readonly secret: string;
  /** Prefixed with the resource server's identifier. */
  readonly scopes: readonly string[];
}

interface Service {
  handle(request: HttpRequest): Promise<HttpResponse>;
}

const TOKEN_SECONDS = 3_600;
const MAX_BODY_BYTES = 10_000;
const NO_STORE: HeaderList = [['cache-control', 'no-store']];

/** An error response of the token endpoint (RFC 6749, 5.2). */
class OAuthError extends Error {
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

/**
 * A user pool with a domain, as far as clients use it: the token endpoint with the client credentials grant, and the
 * key set. The front door serves both and is the issuer.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html
 */
export class Issuer {
  readonly clients: readonly Client[];
  readonly #authority: string;
  readonly #readKey: () => KeyObject;
  #keys: { readonly private: KeyObject; readonly public: JWK } | undefined;
  readonly #routes: Readonly<Record<string, Service>> = {
    'POST /oauth/token': { handle: (request) => this.#token(request) },
    'GET /.well-known/jwks.json': { handle: () => this.#keySet() },
  };

  /**
   * @param authority `host:port` of the front door
   * @param readKey returns the private key; called when a token or the key set is requested, since making one takes 0.1
   * s
   */
  constructor(authority: string, clients: readonly Client[], readKey: () => KeyObject) {
    this.clients = clients;
    this.#authority = authority;
    this.#readKey = readKey;
  }

  /** Returns the service for a request to this domain name, or undefined when CloudFront handles it. */
  serviceAt(domainName: string, { method, path }: HttpRequest): Service | undefined {
    return domainName === this.#authority ? this.#routes[`${method} ${path}`] : undefined;
  }

  async #keySet(): Promise<HttpResponse> {
    return oauthResponse(200, {
      keys: [{ ...this.#key().public, kid: await this.#keyId(), alg: 'RS256', use: 'sig' }],
    });
  }

  async #token(request: HttpRequest): Promise<HttpResponse> {
    try {
      const form = await readForm(request);
      const client = this.#authenticated(header(request.headers, 'authorization'), form);
      if (form.get('grant_type') !== 'client_credentials')
        throw new OAuthError('unsupported_grant_type', 'grant_type must be client_credentials');
      const token = await this.#sign(client, scopeOf(client, form.get('scope')));
      const body = { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' };
      return oauthResponse(200, body, NO_STORE);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const body = { error: error.code, error_description: error.message };
      if (error.code !== 'invalid_client') return oauthResponse(400, body, NO_STORE);
      return oauthResponse(401, body, [...NO_STORE, ['www-authenticate', 'Basic realm="oauth"']]);
    }
  }

  #authenticated(authorization: string | undefined, form: URLSearchParams): Client {
    const basic = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (basic !== undefined && form.has('client_secret'))
      throw new OAuthError('invalid_request', 'The client is authenticated twice');
    const credentials =
      basic === undefined
        ? `${form.get('client_id')}:${form.get('client_secret')}`
        : Buffer.from(basic, 'base64').toString();
    const client = this.clients.find(({ id, secret }) => credentials === `${id}:${secret}`);
    if (client === undefined) throw new OAuthError('invalid_client', 'Invalid client_id or client_secret');
    return client;
  }

  /** Returns an access token like Cognito's: without `aud`, and with the client as the subject. */
  async #sign({ id }: Client, scope: string): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({ token_use: 'access', client_id: id, scope, auth_time: now, version: 2 })
      .setProtectedHeader({ alg: 'RS256', kid: await this.#keyId() })
      .setIssuer(`http://${this.#authority}`)
      .setSubject(id)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_SECONDS)
      .setJti(randomUUID())
      .sign(this.#key().private);
  }

  #keyId(): Promise<string> {
    return calculateJwkThumbprint(this.#key().public);
  }

  #key() {
    if (this.#keys) return this.#keys;
    const key = this.#readKey();
    this.#keys = { private: key, public: createPublicKey(key).export({ format: 'jwk' }) as JWK };
    return this.#keys;
  }
}

async function readForm(request: HttpRequest): Promise<URLSearchParams> {
  const type = header(request.headers, 'content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded');
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body === undefined) throw new OAuthError('invalid_request', `The body exceeds ${MAX_BODY_BYTES} bytes`);
  const form = new URLSearchParams(body.toString());
  const repeated = [...form.keys()].find((name) => form.getAll(name).length > 1);
  if (repeated !== undefined) throw new OAuthError('invalid_request', `${repeated} is repeated`);
  return form;
}

/** Returns the requested scopes, or by default all scopes of the client. */
function scopeOf(client: Client, wanted: string | null): string {
  const scopes = wanted?.split(' ').filter(Boolean) ?? [];
  const invalid = scopes.filter((scope) => !client.scopes.includes(scope));
  if (invalid.length > 0) throw new OAuthError('invalid_scope', `The client lacks ${invalid.join(', ')}`);
  return (scopes.length > 0 ? scopes : client.scopes).join(' ');
}

function oauthResponse(status: number, body: unknown, headers: HeaderList = []): HttpResponse {
  const response = jsonResponse(status, body, 'Cognito');
  return { ...response, headers: [...response.headers, ...headers] };
}
