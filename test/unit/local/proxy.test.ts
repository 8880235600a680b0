import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { proxyVariables } from '../../../local/proxy.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { testRows } from '../../support/rows.ts';
import { serve } from '../../support/serve.ts';
import { startTunnelProxy } from '../../support/tunnel-proxy.ts';
import { startVendor } from '../../support/vendors/index.ts';

const OWN = 'localhost,.localhost,127.0.0.1,[::1],::1,.execute-api.us-east-1.amazonaws.com';
const PROXY = 'http://proxy:3128';

testRows<[what: string, env: NodeJS.ProcessEnv, expected: Record<string, string>]>([
  ['a proxy', { HTTPS_PROXY: PROXY }, { HTTPS_PROXY: PROXY, NO_PROXY: OWN, NODE_USE_ENV_PROXY: '1' }],
  [
    'several names, and exceptions',
    {
      https_proxy: 'proxy:3128',
      HTTP_PROXY: ` ${PROXY} `,
      NO_PROXY: 'localhost, a.example',
      AWS_REGION: 'eu-west-1',
    },
    {
      https_proxy: PROXY,
      HTTP_PROXY: PROXY,
      NO_PROXY: 'localhost,a.example,.localhost,127.0.0.1,[::1],::1,.execute-api.eu-west-1.amazonaws.com',
      NODE_USE_ENV_PROXY: '1',
    },
  ],
  ['no host to reach through it', { HTTPS_PROXY: PROXY, no_proxy: '*' }, {}],
  ['a proxy to ignore', { HTTPS_PROXY: 'socks5://proxy', NODE_USE_ENV_PROXY: '0' }, {}],
])('passes on the proxy of the environment', (_what, env, expected) => {
  expect(proxyVariables(env)).toEqual(expected);
});

testRows(['socks5://me:word@proxy', 'http://'])('names a variable with another proxy', (url) => {
  const read = () => proxyVariables({ HTTPS_PROXY: url });
  expect(read).toThrow(/^Invalid HTTPS_PROXY: expected a URL/);
  expect(read).not.toThrow(/word/);
});

/** Signed by itself, for vendor.example, from 2020 to 2120: made for this test. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghdfmRKVNHTRuofbZ
tEizM87/gHFo01EVwE4eYA4PqqihRANCAAQSUTKX+Z6v9h9tSx3EXPReHFa+bzeA
AbM0rguz8uDKtJiLHWK85Ct9rncKaIze6V58b35Dd8uh3R7cnHdySgIY
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBcDCCARagAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA52ZW5kb3Iu
ZXhhbXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOdmVuZG9yLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQS
UTKX+Z6v9h9tSx3EXPReHFa+bzeAAbM0rguz8uDKtJiLHWK85Ct9rncKaIze6V58
b35Dd8uh3R7cnHdySgIYo00wSzAZBgNVHREEEjAQgg52ZW5kb3IuZXhhbXBsZTAP
BgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQMmGtILddlXMADCXpPMvVgYD3ZWzAK
BggqhkjOPQQDAgNIADBFAiBtjAickO2fosbKD4jwIRgxjKq0k94CplhqPsfD1a7C
uQIhAOxyU064mAk3G7xLJzmScEXp+l7W+51K8p96l+B+ho84
-----END CERTIFICATE-----
`;

/** Starts a thread with its code and the variables of functions, as the local cloud does. */
const START = `
  const [root, code, variables] = process.argv.slice(1);
  new (require('node:worker_threads').Worker)(code, { eval: true, workerData: root, env: JSON.parse(variables) });
`;
/** Calls a vendor, and prints its answer. */
const CALL = `
  const { workerData: root } = require('node:worker_threads');
  (async () => {
    const { createProvider } = await import(root + 'lambda/generation/providers/index.ts');
    const { REQUEST } = await import(root + 'test/support/attempt-request.ts');
    const config = { kind: 'openai-compatible', model: 'm', baseUrl: 'https://vendor.example/v1' };
    const provider = createProvider(config, { secret: async () => 'key', prices: {}, clock: Date.now });
    for await (const event of provider.write(REQUEST, new AbortController().signal))
      if (event.type === 'text') process.stdout.write(event.text);
  })();
`;

const folder = temporaryFolder();
it('reaches an https vendor through the tunnel of a proxy, whose certificate is named', async () => {
  const vendor = await startVendor('openai-compatible', [{ text: 'hello' }, { finish: 'complete' }]);
  const tls = await serve(
    createTlsServer({ key: KEY, cert: CERTIFICATE }, (socket) => {
      const upstream = connect(Number(new URL(vendor.baseUrl).port), '127.0.0.1');
      socket.pipe(upstream).pipe(socket);
      for (const end of [upstream, socket]) end.on('error', () => {});
    }),
  );
  const tunnels: string[] = [];
  const proxy = await startTunnelProxy(tls.port, tunnels);
  const certificate = join(folder, 'proxy.pem');
  writeFileSync(certificate, CERTIFICATE);
  try {
    const root = new URL('../../../', import.meta.url).href;
    const variables = JSON.stringify(proxyVariables({ HTTPS_PROXY: proxy.url }));
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', START, root, CALL, variables], {
      env: { NODE_EXTRA_CA_CERTS: certificate },
    });
    expect([stdout, tunnels]).toEqual(['hello', ['vendor.example:443']]);
  } finally {
    for (const server of [proxy, tls, vendor]) await server.close();
  }
});
