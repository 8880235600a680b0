import { randomUUID } from 'node:crypto';
import type { CreatedAsset, ShownAsset } from '../../lambda/contract/assets.ts';
import { check, expectHeader, expectStatus, SkippedError } from './checks.ts';
import type { Step } from './step.ts';

const ASSETS = '/api/v1/assets/user-assets/';
/** The first bytes of every PNG file. */
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

const apiKey: Step = {
  name: 'api-key',
  title: 'An API key is accepted in both headers, and raises the rate limit',
  means: 'The API cannot read the table of keys, or CloudFront does not forward the headers.',
  lookAt: 'The log group *-UsageApiLogs*, and npm run keys -- list --stack NAME',
  run: async (session) => {
    const { key } = session.options;
    if (!key) throw new SkippedError('pass --key');
    const { headers } = await session.api('GET', '/api/v1/usage', { credential: '' });
    const anonymous = Number(headers['x-ratelimit-limit']);
    const bearer = await session.api('GET', '/api/v1/usage');
    const named = await session.api('GET', '/api/v1/usage', {
      credential: '',
      headers: { 'x-api-key': key },
    });
    for (const response of [bearer, named]) {
      expectStatus(response, 200);
      const limit = Number(response.headers['x-ratelimit-limit']);
      check(limit > anonymous, `The limit is ${limit} with the key and ${anonymous} without`);
    }
  },
};

const token: Step = {
  name: 'token',
  title: 'An OAuth access token is accepted, with its scope',
  means:
    'The issuer, audience or scope of the token is not the configured one, or the issuer is unreachable.',
  lookAt: 'The claims iss, aud or client_id, scope and exp of the token; the log group *-AssetsApiLogs*',
  run: async (session) => {
    const { token } = session.options;
    if (!token) throw new SkippedError('pass --token, an access token with the scope assets:write');
    expectStatus(await session.api('GET', '/api/v1/usage', { credential: token }), 200);
    // An unknown asset is a 404 for callers with the scope only.
    expectStatus(await session.api('GET', `${ASSETS}${randomUUID()}/`, { credential: token }), 404);
  },
};

const asset: Step = {
  name: 'asset',
  title: 'An asset is uploaded with a presigned URL, marked as uploaded, and downloaded',
  means:
    'S3 refuses the signature of the upload (it leaves the payload unsigned), the function cannot read the upload, or an ' +
    'empty response loses its status.',
  lookAt: 'The log group *-AssetsApiLogs*; the policy, CORS and encryption of the assets bucket',
  run: async (session) => {
    const { key, token } = session.options;
    const credential = key ?? token;
    if (!credential) throw new SkippedError('pass --key (with the scope assets:write) or --token');
    const json = {
      attributes: { name: 'smoke.png', type: 'image/png', size: PNG.length },
      entity_type: 'USER_AVATAR',
    };
    const created = await session.api('POST', ASSETS, { json, credential });
    expectStatus(created, 201);
    const { asset_id, upload_url, upload_headers } = created.json<CreatedAsset>();
    const path = `${ASSETS}${asset_id}/`;
    let exists = true;
    const remove = async () => {
      if (!exists) return;
      expectStatus(await session.api('DELETE', path, { credential }), 204);
      exists = false;
    };
    session.cleanUp(remove);
    const put = await session.http.send(new URL(upload_url), {
      method: 'PUT',
      body: PNG,
      headers: upload_headers,
    });
    expectStatus(put, 200);
    const patched = await session.api('PATCH', path, {
      json: { attributes: { name: 'a.png' } },
      credential,
    });
    expectStatus(patched, 204);
    const shown = await session.api('GET', path, { credential });
    expectStatus(shown, 200);
    const { state, download_url = '' } = shown.json<ShownAsset>();
    check(state === 'uploaded', `The asset is ${state} after its PATCH`);
    const file = await session.http.send(new URL(download_url));
    expectStatus(file, 200);
    expectHeader(file, 'Content-Type', 'image/png');
    check(file.bytes.equals(PNG), `The download has ${file.bytes.length} bytes, but ${PNG.length} were sent`);
    await remove();
  },
};

export const CREDENTIAL_STEPS = [apiKey, token, asset];
