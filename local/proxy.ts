/** The variables of a proxy that Node and most other programs read. */
const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const;

/** The URLs of proxies that Node accepts. */
const ACCEPTED = /^https?:\/\/[^/\s]/i;

/** This machine. Node compares a host with or without the brackets of IPv6, depending on the module. */
const THIS_MACHINE = ['localhost', '.localhost', '127.0.0.1', '[::1]', '::1'];

/**
 * Returns the variables with which functions reach other hosts through the proxy of this machine, as Node does with
 * `NODE_USE_ENV_PROXY=1`; none without a proxy, and with `NODE_USE_ENV_PROXY=0`. They never reach this machine through it,
 * nor the APIs of API Gateway, which it emulates.
 * @throws Error that names the variable if its proxy is of another kind
 */
export function proxyVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  // Node prefers the name in lower case.
  const exceptions = (env.no_proxy || env.NO_PROXY || '').split(/[\s,]+/).filter((host) => host !== '');
  if (env.NODE_USE_ENV_PROXY === '0' || exceptions.includes('*')) return {};
  const proxies = PROXIES.flatMap((name) => {
    const proxy = env[name]?.trim();
    return proxy ? [[name, urlOf(name, proxy)] as const] : [];
  });
  if (proxies.length === 0) return {};
  const apis = `.execute-api.${env.AWS_REGION ?? 'us-east-1'}.amazonaws.com`;
  const NO_PROXY = [...new Set([...exceptions, ...THIS_MACHINE, apis])].join(',');
  return { ...Object.fromEntries(proxies), NO_PROXY, NODE_USE_ENV_PROXY: '1' };
}

/** Returns the URL of a proxy, which may lack its scheme, as curl accepts it. */
function urlOf(name: string, proxy: string): string {
  const url = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (ACCEPTED.test(url) && URL.canParse(url)) return url;
  throw new Error(
    `Invalid ${name}: expected a URL with http:// or https://, such as http://proxy:3128. Without a proxy, set NODE_USE_ENV_PROXY=0`,
  );
}
