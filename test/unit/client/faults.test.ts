import fc from 'fast-check';
import { ApiError, Client } from '../../../client/client.ts';
import { runs } from '../../support/soak.ts';
import { json, type Received, type Reply, reset, startService } from './scripted-service.ts';

/** What goes wrong with a request: before the service acts, or after, so that only the response is lost. */
const FAULTS = [
  'refused',
  'reset before',
  'reset after',
  'cut off after',
  'slow',
  '429',
  '500 before',
  '500 after',
  '502',
  '503',
] as const;
type Fault = (typeof FAULTS)[number];

/** A service that deploys once per idempotency key or project, as the contract says. */
class Service {
  readonly deployments = new Map<string, { versions: number }>();
  readonly #done = new Map<string, object>();

  deploy({ headers, json: { projectId } }: Received): object {
    const key = String(headers['idempotency-key']);
    const earlier = this.#done.get(key);
    if (earlier) return earlier;
    const id = projectId ?? `d${this.deployments.size}`;
    const versions = (this.deployments.get(id)?.versions ?? 0) + 1;
    this.deployments.set(id, { versions });
    const response = { id, url: id, entry: '', fileCount: 1, title: null, createdAt: 1 };
    this.#done.set(key, response);
    return response;
  }
}

/** Returns the reply to a request with a fault. */
function faulty(fault: Fault | undefined, service: Service): Reply {
  return async (response, request) => {
    if (fault === 'reset before') return reset(response, request);
    if (fault === '429') return json(429, {}, { 'retry-after': '60' })(response, request);
    if (fault === '500 before' || fault === '502' || fault === '503')
      return json(Number(fault.slice(0, 3)))(response, request);
    const body = service.deploy(request);
    if (fault === 'reset after') return reset(response, request);
    if (fault === '500 after') return json(500)(response, request);
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 2));
    const text = JSON.stringify(body);
    response.writeHead(201, {
      'content-type': 'application/json',
      'content-length': text.length,
      etag: '"v"',
    });
    if (fault !== 'cut off after') return response.end(text);
    return response.write(text.slice(0, 9), () => response.socket?.destroy());
  };
}

it('ends in one deployment whatever goes wrong, and in at most one if it fails', async () => {
  let faults: Fault[] = [];
  let service = new Service();
  const { baseUrl } = await startService([(response, request) => faulty(faults.shift(), service)(response, request)]);
  // A refused connection, for which the service is not there at all.
  const fetchOr: typeof fetch = (input, init) => {
    if (faults[0] !== 'refused') return fetch(input, init);
    faults.shift();
    return fetch('http://127.0.0.1:9', init);
  };
  const client = new Client({ baseUrl, fetch: fetchOr, sleep: async () => {} });
  const request = fc.record({
    projectId: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
    faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ projectId, faults: script }) => {
      faults = [...script];
      service = new Service();
      const failing = script.filter((fault) => fault !== 'slow');
      const files = [{ path: 'index.html', content: 'a' }];
      const outcome = await client.deploy({ files, projectId }).catch((error: unknown) => error);
      const versions = [...service.deployments.values()].reduce((sum, one) => sum + one.versions, 0);
      if (outcome instanceof ApiError) {
        expect(failing.length).toBeGreaterThan(3);
        expect(versions).toBeLessThanOrEqual(1);
      } else {
        expect(outcome).toMatchObject({ created: true, version: 'v' });
        expect(versions).toBe(1);
      }
      // Three retries, so that fewer faults in a row than four always end well.
      if (failing.length < 4) expect(outcome).not.toBeInstanceOf(Error);
    }),
    { numRuns: runs(80) },
  );
});
