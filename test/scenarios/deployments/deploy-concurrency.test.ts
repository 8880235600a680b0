import { newCaller, type TestResponse } from '../../support/cloud/client.ts';
import { storedObjects } from '../../support/cloud/stored-objects.ts';

const DEPLOY = '/api/v1/deploy';

const site = (name: string) => [{ path: 'index.html', content: `<title>${name}</title>${name}` }];

const versionOf = ({ headers }: TestResponse) => JSON.parse(headers.etag as string) as string;

const statuses = (answers: readonly TestResponse[]) => answers.map(({ status }) => status).toSorted();

const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

let projects = 0;

/** Returns a project that sends each request from another address, to stay within the rate limit. */
function newProject() {
  const projectId = `concurrent-${Date.now()}-${++projects}`;
  const known = { id: '', token: {} as Record<string, string> };
  const send = async (path: string, method = 'GET', body?: unknown, headers: Record<string, string> = {}) =>
    newCaller().send(path, { method, body, headers: { ...known.token, ...headers } });
  const resource = () => `/api/v1/deployments/${known.id}`;
  return {
    known,
    projectId,
    deploy: async (name: string, headers: Record<string, string> = {}) => {
      const answer = await send(DEPLOY, 'POST', { projectId, files: site(name) }, headers);
      if (answer.status < 300) {
        known.id = answer.json.id;
        const token = answer.headers['x-deployment-token'];
        // Only the first response has it.
        if (token !== undefined) known.token = { 'x-deployment-token': String(token) };
      }
      return answer;
    },
    rollBack: (version: string) => send(`${resource()}/rollback`, 'POST', { version }),
    remove: () => send(resource(), 'DELETE'),
    show: () => send(resource()),
    page: () => send(`/d/${known.id}/`),
    archives: () => storedObjects(`sites/${known.id}/`),
  };
}

describe('deploys of one project', () => {
  it('show visitors one version or 410 while racing with rollbacks and deletions', async () => {
    const { deploy, rollBack, remove, show, page } = newProject();
    const versions: string[] = [];
    for (const i of times(3, (i) => i)) versions.push(versionOf(await deploy(`Before ${i}`)));
    const visits: TestResponse[] = [];
    let over = false;
    const visitor = async () => {
      while (!over) visits.push(await page());
    };
    const visiting = visitor();
    const [deploys, rollbacks, removals] = await Promise.all([
      Promise.all(times(16, (i) => deploy(`Racer ${i}`))),
      Promise.all(times(12, (i) => rollBack(versions[i % 3] ?? ''))),
      Promise.all(times(4, remove)),
    ]);
    over = true;
    await visiting;
    for (const { status } of deploys) expect([200, 201]).toContain(status);
    for (const { status } of rollbacks) expect([200, 404, 410]).toContain(status);
    expect(statuses(removals)).toEqual([200, 200, 200, 200]);
    for (const { status, text } of visits) {
      if (status === 410) continue;
      expect({ status, text }).toEqual({
        status: 200,
        text: expect.stringMatching(/^<title>((?:Before|Racer) \d+)<\/title>\1$/),
      });
    }
    expect((await deploy('After all')).status).toBeLessThan(300);
    // Every listed version can be restored.
    for (const { version, title } of (await show()).json.versions) {
      expect((await rollBack(version)).status).toBe(200);
      expect((await page()).text).toBe(site(title)[0]?.content);
    }
  });
});
