import { parseConfig } from '../../../lib/config.ts';
import { abuseContact } from '../../../lib/pages.ts';
import { servicePages } from '../../../web/pages.ts';
import { securityText } from '../../../web/security-text.ts';
import { testRows } from '../../support/rows.ts';

const DAY_MS = 86_400_000;
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/abc';
const contactOf = (config: object) => abuseContact(parseConfig(config, 'of the test'));

const field = (text: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];

it('names the contact as a URI, and the canonical address if the service has a domain', () => {
  const mail = contactOf({ abuse: 'abuse@example.com', domainName: 'ptp.example.com', certificateArn });
  const text = securityText(mail ?? { contact: '', baseUrl: '' }, Date.UTC(2026, 10, 24));
  expect(text).toBe(
    [
      '# Report a single page with the form https://ptp.example.com/report',
      'Contact: mailto:abuse@example.com',
      'Expires: 2027-10-31T23:59:59.000Z',
      'Preferred-Languages: en',
      'Canonical: https://ptp.example.com/.well-known/security.txt',
      '',
    ].join('\n'),
  );
  const page = securityText({ contact: 'https://example.com/abuse?a=1', baseUrl: undefined }, Date.now());
  expect(field(page, 'Contact')).toBe('https://example.com/abuse?a=1');
  expect(field(page, 'Canonical')).toBeUndefined();
});

testRows(['2026-01-01T00:00:00Z', '2026-01-31T23:59:59Z', '2028-02-29T12:00:00Z', '2026-12-31T23:59:59Z'])(
  'expires less than a year ahead, and more than eleven months',
  (now) => {
    const expires = field(
      securityText({ contact: 'a@example.com', baseUrl: '' }, Date.parse(now)),
      'Expires',
    );
    const days = (Date.parse(expires ?? '') - Date.parse(now)) / DAY_MS;
    expect(days).toBeGreaterThan(330);
    expect(days).toBeLessThan(366);
  },
);

it('is a page of stages with a contact only', () => {
  expect(contactOf({})).toBeUndefined();
  expect(servicePages()['.well-known/security.txt']).toBeUndefined();
  const pages = servicePages(undefined, contactOf({ abuse: 'a@example.com' }));
  expect(pages['.well-known/security.txt']).toMatchObject({
    contentType: 'text/plain; charset=utf-8',
    body: expect.stringContaining('Contact: mailto:a@example.com'),
  });
});

testRows([
  'abuse',
  'http://example.com/',
  'a@b',
  'a b@example.com',
  'https://example.com/\nExpires: 1',
  'mailto:a@b.c',
])('refuses what is neither an e-mail address nor an https URL', (abuse) => {
  expect(() => contactOf({ abuse })).toThrow('abuse: must be an e-mail address');
});
