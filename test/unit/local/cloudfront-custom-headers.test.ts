import { jest } from '@jest/globals';
import { CustomHeaders } from '../../../local/cloud/cloudfront/custom-headers.ts';
import type { OriginProperties } from '../../../local/cloud/cloudfront/properties.ts';

const header = (HeaderValue: string) => [{ HeaderName: 'x', HeaderValue }];
const ORIGINS = [{ Id: 'api', OriginCustomHeaders: header('old') }] as unknown as OriginProperties[];

let now = 1_000_000;
let headers: CustomHeaders;
beforeEach(() => {
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  headers = new CustomHeaders(ORIGINS, 5, { effect: [2, 9], completion: [5, 12] });
});
afterEach(() => jest.restoreAllMocks());

const update = (value: string, etag: string | undefined = headers.etag) =>
  headers.update(new Map([['api', header(value)]]), etag);
const sent = () => [0, 1, 2, 3, 4].map((edge) => headers.at(edge, 'api')[0]?.HeaderValue);

it('change at each edge at a time of its own, before the distribution is deployed', () => {
  expect([headers.status, ...sent()]).toEqual(['Deployed', 'old', 'old', 'old', 'old', 'old']);
  update('new');
  const seen = new Set<string>();
  for (const start = now; now < start + 12_000; now += 100) {
    if (headers.status === 'Deployed') expect(sent()).toEqual(Array(5).fill('new'));
    if (now < start + 2_000) expect(sent()).toEqual(Array(5).fill('old'));
    seen.add(sent().join());
  }
  expect(headers.status).toBe('Deployed');
  // Some edges were ahead of others.
  expect(seen.size).toBeGreaterThan(2);
  expect(headers.at(0, 'other')).toEqual([]);
});

it('are changed only by an update of the configuration that is current', () => {
  const { etag } = headers;
  update('new');
  expect(() => update('newer', etag)).toThrow(expect.objectContaining({ code: 'PreconditionFailed' }));
  expect(() => headers.update(new Map(), undefined)).toThrow(
    expect.objectContaining({ code: 'InvalidIfMatchVersion' }),
  );
  expect(headers.configured.get('api')).toEqual(header('new'));
});
