import fc from 'fast-check';
import { isPublicAddress, webhookPortProblem, webhookUrlProblem } from '../../../lambda/platform/webhook-url.ts';
import { testRows } from '../../support/rows.ts';
import { runs } from '../../support/soak.ts';

const problem = (url: string, allowPrivate = false) => webhookUrlProblem(new URL(url), allowPrivate);
const numberOf = (address: string) => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
const addressOf = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

/** Blocks of IPv4 that are not public. */
const BLOCKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((block) => {
  const [network = '', prefix = ''] = block.split('/');
  return { start: numberOf(network), size: 2 ** (32 - Number(prefix)) };
});

const notPublic = fc
  .constantFrom(...BLOCKS)
  .chain(({ start, size }) => fc.oneof(fc.nat(size - 1), fc.constantFrom(0, size - 1)).map((offset) => start + offset));

/** The notations of an IPv4 address that URLs accept. */
const NOTATIONS: ((value: number) => string)[] = [
  addressOf,
  (value) => `${addressOf(value)}.`,
  String,
  (value) => `0x${value.toString(16)}`,
  (value) => `0${value.toString(8)}`,
  (value) => `${value >>> 24}.${value & 0xffffff}`,
  (value) => `0x${(value >>> 24).toString(16)}.0${((value >>> 16) & 255).toString(8)}.${value & 0xffff}`,
  (value) => addressOf(value).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
];

const hex = (value: number) => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;

/** The IPv6 addresses that stand for an IPv4 address. */
const EMBEDDINGS: ((value: number) => string)[] = [
  (value) => `::ffff:${addressOf(value)}`,
  (value) => `::ffff:0:${hex(value)}`,
  (value) => `::${hex(value)}`,
  (value) => `64:ff9b::${hex(value)}`,
  (value) => `64:ff9b:1::${hex(value)}`,
  (value) => `2002:${hex(value)}::1`,
  (value) => `2001::${hex(value)}`,
  (value) => `fe80::5efe:${hex(value)}`,
];

it('refuses addresses that are not public, however they are written', () => {
  fc.assert(
    fc.property(notPublic, fc.constantFrom(...NOTATIONS), (value, notation) => {
      expect(problem(`https://${notation(value)}:8443/x?y`)).toContain(addressOf(value));
      expect(isPublicAddress(addressOf(value))).toBe(false);
    }),
    { numRuns: runs(500) },
  );
});

it('refuses IPv6 addresses that stand for an IPv4 address', () => {
  fc.assert(
    fc.property(fc.nat(0xffffffff), fc.constantFrom(...EMBEDDINGS), (value, embedding) => {
      expect(problem(`https://[${embedding(value)}]/`)).toBeDefined();
      expect(isPublicAddress(embedding(value))).toBe(false);
    }),
    { numRuns: runs(500) },
  );
});

it('accepts every other IPv4 address', () => {
  const special = ['168.63.129.16', '192.31.196.0', '192.52.193.0', '192.88.99.0', '192.175.48.0'].map(numberOf);
  const isPublic = (value: number) =>
    !BLOCKS.some(({ start, size }) => value >= start && value < start + size) &&
    !special.some((start) => value >= start && value < start + 256);
  fc.assert(
    fc.property(fc.nat(0xffffffff).filter(isPublic), (value) => {
      expect(problem(`https://${addressOf(value)}/`)).toBeUndefined();
      expect(isPublicAddress(addressOf(value))).toBe(true);
    }),
    { numRuns: runs(500) },
  );
});

testRows([
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://metadata.google.internal/',
  'https://instance-data.ec2.internal./',
  'https://printer.local/',
  'https://nas.home.arpa/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/',
  'https://100.100.100.200/',

  'https://168.63.129.16/',
  'https://[::]/',
  'https://[::1]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[5f00::1]/',
  'https://[2001:2::1]/',
  'https://[2001:10::1]/',
  'https://[4000::1]/',
])('refuses a URL at an address that is not public', (url) => {
  expect(problem(url)).toBe(`must be at a public address, not ${new URL(url).hostname}`);
});

testRows(['https://example.com/', 'https://[2606:4700::1111]:8443/', 'https://localhost.example.com/'])(
  'accepts a URL at a public address',
  (url) => expect(problem(url)).toBeUndefined(),
);

testRows<[string, boolean, string | undefined]>([
  ['https://example.com:22/', false, 'must have port 443, not 22'],
  ['https://example.com:8443/', false, 'must have port 443, not 8443'],
  ['https://example.com:443/', false, undefined],
  ['http://127.0.0.1:22/', true, 'must have port 80, 443, or 1024 and above, not 22'],
  ['http://127.0.0.1:443/', true, undefined],
  ['https://127.0.0.1:80/', true, undefined],
  ['http://127.0.0.1/', true, undefined],
  ['http://127.0.0.1:1024/', true, undefined],
])('refuses ports of other services', (url, allowPrivate, expected) => {
  expect(webhookPortProblem(new URL(url), allowPrivate)).toBe(expected);
});

it('refuses http, unless private addresses are allowed', () => {
  expect(problem('http://example.com/')).toBe('must be an https URL');
  expect(problem('http://127.0.0.1:8080/', true)).toBeUndefined();
});

it('treats what is no address as not public', () => {
  for (const text of ['', 'localhost', 'fe80::1%eth0', '1.2.3', '::ffff:1.2.3.4/96'])
    expect(isPublicAddress(text)).toBe(false);
});
