import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';

const caller = newCaller(cloud().baseUrl);
type TestResponse = Awaited<ReturnType<typeof caller.post>>;
const chunk = (n: number) => `assets/page-BkC3x9a${n}.js`;

/** Deploys a build whose scripts have other names each time. */
async function builds(count: number) {
  const projectId = `builds-${Math.random()}`;
  const answers: TestResponse[] = [];
  for (let n = 0; n < count; n++) {
    const files = [
      { path: 'index.html', content: `<script type="module" src="${chunk(n)}"></script>` },
      { path: chunk(n), content: `build ${n}` },
    ];
    answers.push(await caller.post('/api/v1/deploy', { projectId, files }));
  }
  return answers;
}

it('a page that is open during several deploys and a rollback can load its scripts', async () => {
  const answers = await builds(4);
  const [first] = answers as [TestResponse];
  const { id } = first.json;
  const scripts = () =>
    Promise.all(
      answers.map(async (_, n) => {
        const { status, text } = await caller.send(`/d/${id}/${chunk(n)}?${Math.random()}`);
        return [status, text];
      }),
    );
  const all = answers.map((_, n) => [200, `build ${n}`]);
  expect(await scripts()).toEqual(all);

  const token = { 'x-deployment-token': String(first.headers['x-deployment-token']) };
  const version = JSON.parse(String(first.headers.etag));
  const rolled = await caller.post(`/api/v1/deployments/${id}/rollback`, { version }, token);
  expect(rolled.status).toBe(200);
  expect(await scripts()).toEqual(all);
});
