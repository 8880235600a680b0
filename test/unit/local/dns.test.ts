import { Resolver } from 'node:dns/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DnsRecords, listenDns } from '../../../local/cloud/dns.ts';

const folder = mkdtempSync(join(tmpdir(), 'dns-'));
const resources = new AsyncDisposableStack();
const lines: string[] = [];
const records = new DnsRecords(folder);
const resolver = new Resolver({ timeout: 2000, tries: 1 });

beforeAll(async () => {
  resolver.setServers([await listenDns(records, resources, (line) => lines.push(line))]);
});
afterAll(async () => {
  await resources.disposeAsync();
  rmSync(folder, { recursive: true });
});

const write = (content: string) => writeFileSync(join(folder, 'dns.json'), content);

it('answers from the records, which may change at any time', async () => {
  await expect(resolver.resolveTxt('a.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  write(
    JSON.stringify({
      'a.example.com': { TXT: ['one', 'x'.repeat(255)], CNAME: 'b.example.com' },
      'example.com': { SOA: 'ns.example.com' },
    }),
  );
  expect(await resolver.resolveTxt('A.example.com')).toEqual([['one'], ['x'.repeat(255)]]);
  expect(await resolver.resolveCname('a.example.com')).toEqual(['b.example.com']);
  expect(await resolver.resolveSoa('example.com')).toMatchObject({ nsname: 'ns.example.com' });
  for (const asked of [
    resolver.resolveSoa('a.example.com'),
    resolver.resolveTxt('example.com'),
    resolver.resolveMx('a.example.com'),
  ])
    await expect(asked).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver.resolveTxt('b.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('fails, and says why, while the file is invalid', async () => {
  write(JSON.stringify({ 'a.example.com': { MX: ['b'] } }));
  await expect(resolver.resolveTxt('a.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  expect(lines.join()).toContain('Unrecognized key: "MX"');
});

it('follows a chain of CNAME records, even one without an end', () => {
  write(JSON.stringify({ a: { CNAME: 'b' }, b: { CNAME: 'C.' }, x: { CNAME: 'y' }, y: { CNAME: 'x' } }));
  expect([records.target('A'), records.target('c'), records.target('x')]).toEqual(['c', 'c', 'x']);
});
