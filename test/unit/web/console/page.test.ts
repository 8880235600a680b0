import { gzipSync } from 'node:zlib';
import { parseConfig } from '../../../../lib/config.ts';
import { consoleData } from '../../../../lib/pages.ts';
import { digest } from '../../../../web/bundle.ts';
import { consoleChunks, consolePage } from '../../../../web/console-page.ts';
import { servicePages } from '../../../../web/pages.ts';

const page = consolePage({
  isolated: false,
  domains: true,
  looks: true,
  providers: [{ name: 'provider-a', model: '</script><b>' }],
});
const chunks = Object.entries(consoleChunks());

it('loads first with less than 100 KB, without editor and archives', () => {
  expect(gzipSync(page).length).toBeLessThan(100_000);
  expect(chunks.map(([key]) => key)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^console\/codemirror-[0-9A-Z]{8}\.js$/),
      expect.stringMatching(/^console\/packages-[0-9A-Z]{8}\.js$/),
    ]),
  );
});

it('has a policy that allows its script, its style, this service and nothing else', () => {
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
  const [style = '', script = ''] = [/<style>([\s\S]*?)<\/style>/, /<script>([\s\S]*?)<\/script>/].map(
    (pattern) => pattern.exec(page)?.[1] ?? '',
  );
  expect(policy.replaceAll('&#39;', "'").split('; ')).toEqual([
    "default-src 'none'",
    `style-src ${digest(style)}`,
    `script-src ${digest(script)} 'strict-dynamic'`,
    "img-src 'self' blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types chunks',
  ]);
});

it('cannot be broken by its data', () => {
  expect(page).not.toContain('</script><b>');
  const [, data = ''] = /id="data">([^<]+)<\/script>/.exec(page) ?? [];
  expect(JSON.parse(data).providers[0].model).toBe('</script><b>');
});

it('loads chunks by names with a hash, which browsers keep', () => {
  const files = servicePages();
  for (const [key] of chunks) expect(files[key]).toMatchObject({ immutable: true });
  expect(Object.entries(files).filter(([key, { immutable }]) => immutable && !/-[0-9A-Z]{8}\.js$/.test(key))).toEqual(
    [],
  );
});

it('knows the providers of the service, and whether deployed pages have origins of their own', () => {
  const known = (config: object) => consoleData(parseConfig(config, 'the test'));
  const claude = { kind: 'anthropic', model: 'claude-sonnet-5-5', apiKey: 'ANTHROPIC_API_KEY' };
  const providers = { 'provider-b': { kind: 'blueprint' }, 'provider-a': claude };
  expect(known({ stage: 'test', providers, siteDomain: 'sites.localhost', customDomains: true })).toEqual({
    isolated: true,
    domains: true,
    looks: true,
    providers: [
      { name: 'provider-a', model: 'claude-sonnet-5-5' },
      { name: 'provider-b', model: 'blueprint' },
    ],
  });
  expect(known({ stage: 'test' })).toMatchObject({ isolated: false, domains: false });
});
