import { newCaller } from '../../support/cloud/client.ts';
import { startVariant } from '../../support/cloud/variant.ts';
import { startTunnelProxy } from '../../support/tunnel-proxy.ts';
import { startVendor } from '../../support/vendors/index.ts';

const ANSWER = '<file path="index.html">\n<p>hi</p>\n</file>\n<done/>\n';
const VARIABLES = { HTTP_PROXY: '', NODE_USE_ENV_PROXY: '1', NO_PROXY: '' };
const before = Object.keys(VARIABLES).map((name) => [name, process.env[name]] as const);

/** The hosts that were reached through the proxy, which leads to the vendor whatever they are. */
const reached: string[] = [];
const vendor = await startVendor('openai-compatible', [{ text: ANSWER }, { finish: 'complete' }]);
const proxy = await startTunnelProxy(Number(new URL(vendor.baseUrl).port), reached);
Object.assign(process.env, VARIABLES, { HTTP_PROXY: proxy.url });
const provider = { kind: 'openai-compatible', model: 'm', baseUrl: 'http://vendor.example/v1' };
const running = await startVariant({ PROVIDERS: { 'provider-a': provider } });

afterAll(async () => {
  for (const [name, value] of before)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  await running.close();
  await proxy.close();
  await vendor.close();
});

it('reaches vendors through the proxy of the environment, and this machine never', async () => {
  const caller = newCaller(running.baseUrl);
  const generated = await caller.post('/api/v1/generate', { prompt: 'a page', deploy: {} });
  expect([generated.status, generated.json.files?.length]).toEqual([200, 1]);
  const params = { name: 'get_generation', arguments: { id: 'none' } };
  const called = await caller.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(called.json.result.content[0].text).toContain('There is no such generation');
  expect(new Set(reached)).toEqual(new Set(['vendor.example:80']));
  expect(vendor.requests).toHaveLength(1);
});
