import { main } from '../../../cli/keys.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { apiGatewayHost, startWithDoor } from '../../support/cloud/api-gateway.ts';
import { newCaller, type Sent } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { bodyOf, EVENT_BODY, GATEWAY_BODY } from '../../support/large-body.ts';

const DEPLOY = '/api/v1/deploy';
const JSON_TYPE = { 'content-type': 'application/json' };

const running = closeAtEnd(await startWithDoor());

describe('at API Gateway’s own address', () => {
  const host = () => apiGatewayHost(running);
  const send = (path: string, sent: Sent = {}) =>
    newCaller(running.baseUrl).send(`/api${path}`, { ...sent, headers: { ...sent.headers, host: host() } });
  const direct = (body: string) => send(DEPLOY, { method: 'POST', body, headers: JSON_TYPE });

  it('staging ignores a forged viewer address', async () => {
    const caller = newCaller(running.baseUrl);
    const store = (viewer: string) =>
      caller.post(`/api${DEPLOY}/staged`, '{}', {
        ...JSON_TYPE,
        host: host(),
        'x-ptp-viewer-address': viewer,
      });
    const { headers } = await store('198.51.100.1');
    expect(headers['x-ratelimit-remaining']).toBe('9');
    // The Location is on the origin that the client sent its credentials to.
    expect(headers.location).toMatch(`https://${host()}/api${DEPLOY}/staged/`);
    expect((await store('198.51.100.2')).headers['x-ratelimit-remaining']).toBe('8');
  });

  it('a larger one returns API Gateway’s own 413', async () => {
    for (const bytes of [EVENT_BODY + 100_000, GATEWAY_BODY])
      expect(await direct(bodyOf(bytes))).toMatchObject({
        status: 413,
        json: { message: 'Request Too Long' },
      });
    const { status, text } = await direct(bodyOf(GATEWAY_BODY + 1));
    expect({ status, text }).toEqual({ status: 413, text: 'HTTP content length exceeded 10485760 bytes.' });
  });

  it('an unknown route returns the same error body', async () => {
    expect(await send('/nowhere')).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
      json: { error: expect.stringContaining('There is no GET /nowhere') },
    });
  });

  it.each(['/', '/api', '/api/v1', '/api/v1/assets', '/api/v1/deploy/staged', '/api/v1/nothing/at/all'])(
    '%s returns it also with an Authorization header, which API Gateway would take for a signature',
    async (path) => {
      const create = ['create', '--name', 'direct', '--scopes', 'assets:write'];
      const key = (await operate(main, create, running.stateDir)).trimEnd();
      const headers = { authorization: `Bearer ${key}` };
      expect(await send(path, { headers })).toMatchObject({
        status: 404,
        headers: { 'access-control-allow-origin': '*', 'x-ratelimit-limit': '100' },
        json: { error: expect.stringMatching(/^There is no GET/) },
      });
    },
  );

  it('the caller has the address that API Gateway sees, whatever its headers', async () => {
    const headers = { 'x-ptp-viewer-address': '198.51.100.1', 'x-forwarded-for': '198.51.100.2' };
    const answer = await send('/api/v1/generate', { method: 'POST', headers, body: {} });
    expect(answer).toMatchObject({ status: 400, headers: { 'x-ratelimit-remaining': '9' } });
  });
});
