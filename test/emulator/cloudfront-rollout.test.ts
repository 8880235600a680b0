import { Rollout } from '../../local/cloud/cloudfront/edges.ts';

let now = 1_000_000;
let rollout: Rollout<string>;
beforeEach(() => {
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  rollout = new Rollout('old', 5, { effect: [2, 9], completion: [5, 12] });
});
afterEach(() => jest.restoreAllMocks());

const inEffect = () => [0, 1, 2, 3, 4].map((edge) => rollout.at(edge));

it('takes effect at each edge at a time of its own, before the configuration is deployed', () => {
  expect([rollout.status, ...inEffect()]).toEqual(['Deployed', 'old', 'old', 'old', 'old', 'old']);
  rollout.update('new', rollout.etag);
  const seen = new Set<string>();
  for (const start = now; now < start + 12_000; now += 100) {
    if (rollout.status === 'Deployed') expect(inEffect()).toEqual(Array(5).fill('new'));
    if (now < start + 2_000) expect(inEffect()).toEqual(Array(5).fill('old'));
    seen.add(inEffect().join());
  }
  expect(rollout.status).toBe('Deployed');
  // Some edges were ahead of others.
  expect(seen.size).toBeGreaterThan(2);
});

it('is changed only by an update of the configuration that is current', () => {
  const { etag } = rollout;
  rollout.update('new', etag);
  expect(() => rollout.update('newer', etag)).toThrow(
    expect.objectContaining({ code: 'PreconditionFailed' }),
  );
  expect(() => rollout.update('newer', undefined)).toThrow(
    expect.objectContaining({ code: 'InvalidIfMatchVersion' }),
  );
  expect(rollout.configured).toBe('new');
});
