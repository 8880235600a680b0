import { proxyVariables } from '../../../local/proxy.ts';
import { testRows } from '../../support/rows.ts';

const OWN = 'localhost,.localhost,127.0.0.1,[::1],::1,.execute-api.us-east-1.amazonaws.com';
const PROXY = 'http://proxy:3128';

testRows<[what: string, env: NodeJS.ProcessEnv, expected: Record<string, string>]>([
  ['no proxy', { NO_PROXY: 'a.example', NODE_USE_ENV_PROXY: '1' }, {}],
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
  ['an empty variable', { HTTPS_PROXY: ' ' }, {}],
])('passes on the proxy of the environment', (_what, env, expected) => {
  expect(proxyVariables(env)).toEqual(expected);
});

testRows(['socks5://me:word@proxy', 'http://', 'http:// proxy'])(
  'names a variable with another proxy',
  (url) => {
    const read = () => proxyVariables({ HTTPS_PROXY: url });
    expect(read).toThrow(/^Invalid HTTPS_PROXY: expected a URL/);
    expect(read).not.toThrow(/word/);
  },
);
