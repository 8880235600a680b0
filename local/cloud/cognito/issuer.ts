import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, type JWK, SignJWT } from 'jose';
import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
  readBody,
} from '../http.ts';

/** A client that gets tokens for itself. */
export interface Client {
  readonly id: string;
  readonly secret: string;
  /** With the resource server's identifier before them. */
  readonly scopes: readonly string[];
}

interface Service {
  handle(request: HttpRequest): Promise<HttpResponse>;
}

const TOKEN_SECONDS = 3_600;
const MAX_BODY_BYTES = 10_000;
const NO_STORE: HeaderList = [['cache-control', 'no-store']];

/** Why there is no token (RFC 6749, 5.2). */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

/**
 * What a user pool with a domain is for clients: the token endpoint with the grant for clients, and the keys that its
 * tokens are signed with. It answers at the front door, which is the issuer.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html
 */
export class Issuer {
  readonly clients: readonly Client[];
  readonly #authority: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: JWK;
  readonly #routes: Readonly<Record<string, Service>> = {
    'POST /oauth/token': { handle: (request) => this.#token(request) },
    'GET /.well-known/jwks.json': { handle: () => this.#keySet() },
  };

  /** @param authority `host:port` of the front door */
  constructor(authority: string, clients: readonly Client[], privateKey: KeyObject) {
    this.clients = clients;
    this.#authority = authority;
    this.#privateKey = privateKey;
    this.#publicKey = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  }

  /** Who answers a request to this domain name, when it is not CloudFront. */
  serviceAt(domainName: string, { method, path }: HttpRequest): Service | undefined {
    return domainName === this.#authority ? this.#routes[`${method} ${path}`] : undefined;
  }

  async #keySet(): Promise<HttpResponse> {
    return answer(200, {
      keys: [{ ...this.#publicKey, kid: await this.#keyId(), alg: 'RS256', use: 'sig' }],
    });
  }

  async #token(request: HttpRequest): Promise<HttpResponse> {
    try {
      const form = await readForm(request);
      const client = this.#authenticated(header(request.headers, 'authorization'), form);
      if (form.get('grant_type') !== 'client_credentials')
        throw new Refusal('unsupported_grant_type', 'grant_type must be client_credentials');
      const token = await this.#sign(client, scopeOf(client, form.get('scope')));
      const body = { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' };
      return answer(200, body, NO_STORE);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const body = { error: error.code, error_description: error.message };
      if (error.code !== 'invalid_client') return answer(400, body, NO_STORE);
      return answer(401, body, [...NO_STORE, ['www-authenticate', 'Basic realm="oauth"']]);
    }
  }

  #authenticated(authorization: string | undefined, form: URLSearchParams): Client {
    const basic = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (basic !== undefined && form.has('client_secret'))
      throw new Refusal('invalid_request', 'the client is authenticated twice');
    const credentials =
      basic === undefined
        ? `${form.get('client_id')}:${form.get('client_secret')}`
        : Buffer.from(basic, 'base64').toString();
    const client = this.clients.find(({ id, secret }) => credentials === `${id}:${secret}`);
    if (client === undefined) throw new Refusal('invalid_client', 'client_id or client_secret is wrong');
    return client;
  }

  /** An access token as Cognito makes it for a client: without `aud`, and with the client as the subject. */
  async #sign({ id }: Client, scope: string): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({ token_use: 'access', client_id: id, scope, auth_time: now, version: 2 })
      .setProtectedHeader({ alg: 'RS256', kid: await this.#keyId() })
      .setIssuer(`http://${this.#authority}`)
      .setSubject(id)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_SECONDS)
      .setJti(randomUUID())
      .sign(this.#privateKey);
  }

  #keyId(): Promise<string> {
    return calculateJwkThumbprint(this.#publicKey);
  }
}

async function readForm(request: HttpRequest): Promise<URLSearchParams> {
  const type = header(request.headers, 'content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new Refusal('invalid_request', 'the body must be application/x-www-form-urlencoded');
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body === undefined) throw new Refusal('invalid_request', `the body has over ${MAX_BODY_BYTES} bytes`);
  const form = new URLSearchParams(body.toString());
  const twice = [...form.keys()].find((name) => form.getAll(name).length > 1);
  if (twice !== undefined) throw new Refusal('invalid_request', `${twice} is there more than once`);
  return form;
}

/** What the client asks for, all that it may when it asks for nothing. */
function scopeOf(client: Client, wanted: string | null): string {
  const scopes = wanted?.split(' ').filter(Boolean) ?? [];
  const strange = scopes.filter((scope) => !client.scopes.includes(scope));
  if (strange.length > 0) throw new Refusal('invalid_scope', `the client may not have ${strange.join(', ')}`);
  return (scopes.length > 0 ? scopes : client.scopes).join(' ');
}

function answer(status: number, body: unknown, headers: HeaderList = []): HttpResponse {
  const response = jsonResponse(status, body, 'Cognito');
  return { ...response, headers: [...response.headers, ...headers] };
}
