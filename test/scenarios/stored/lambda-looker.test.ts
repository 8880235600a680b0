import { LambdaLooker } from '../../../lambda/stored/looks/lambda-looker.ts';
import type { Look } from '../../../lambda/stored/looks/looker.ts';
import { lambdaLooker } from '../../../lambda/stored/looks/stage-looker.ts';
import { png } from '../../support/images.ts';
import { testRows } from '../../support/rows.ts';
import { startTenantFunction, type TenantFunctionUnderTest } from '../../support/tenant-function.ts';

let fn: TenantFunctionUnderTest;
let looker: LambdaLooker;
const looks = () => fn.lines.filter((line) => line.includes('"event":"look"')).length;

beforeAll(async () => {
  fn = await startTenantFunction('test/support/fixture-look.handler.ts', ['in/*', 'out/*']);
  looker = new LambdaLooker({ ...fn.ports, patienceMs: 3_000 });
});
afterAll(() => fn.close());

/** Returns a site whose look ends as `mode` says. */
function siteOf(mode = '') {
  const names = ['mode', 'index.html', '__proto__'];
  return { entry: 'index.html', files: new Map(names.map((name) => [name, Buffer.from(mode)])) };
}

it('returns what a browser saw, and for an equal site without another look', async () => {
  const first = (await looker.look('one', siteOf())) as Look;
  const message = 'index.html of __proto__,index.html,mode, look 1';
  const problem = { kind: 'error', message, path: 'a.js', line: 3, column: 7, blocking: true };
  expect(first).toMatchObject({ state: 'looked', problems: [problem] });
  expect([...first.screenshots.keys()]).toEqual([390, 1280]);
  expect(Buffer.from(first.screenshots.get(1280) ?? []).equals(png(128, 80))).toBe(true);
  const { files, entry } = siteOf();
  const again = await looker.look('one', { entry, files: new Map([...files].reverse()) });
  expect(again).toMatchObject({ state: 'looked', problems: [problem] });
  expect(Buffer.from((again as Look).screenshots.get(390) ?? []).equals(png(39, 84))).toBe(true);
  expect(looks()).toBe(1);
  // Neither another tenant nor another entry or version gets it.
  await looker.look('two', siteOf());
  await looker.look('one', { ...siteOf(), entry: 'mode' });
  await new LambdaLooker({ ...fn.ports, version: 'v2' }).look('one', siteOf());
  expect(looks()).toBe(4);
});

it('needs no picture', async () => {
  const look = (await looker.look('one', siteOf('one picture'))) as Look;
  expect([...look.screenshots.keys()]).toEqual([390]);
});

testRows([
  ['failed', /^The browser did not start !{274}…$/],
  ['hang', 'The browser took too long or needed too much memory'],
  ['exit', 'The browser took too long or needed too much memory'],
  ['throw', 'The browser failed'],
  // What a function returns in which a page took over.
  ['no PNG', 'The browser failed'],
  ['bomb', 'The browser failed'],
  ['many', 'The browser failed'],
  ['long', 'The browser failed'],
])('says why there is no look: %s', async (mode, reason) => {
  const look = await looker.look('errors', siteOf(mode));
  expect(look).toEqual({ state: 'failed', reason: expect.stringMatching(reason) });
});

it('looks again at a site after a failure', async () => {
  const before = looks();
  for (let time = 0; time < 2; time++) await looker.look('one', siteOf('failed'));
  expect(looks()).toBe(before + 2);
});

it('waits while all browsers are in use, and not for long', async () => {
  const hurried = new LambdaLooker({ ...fn.ports, patienceMs: 0 });
  const running = ['a', 'b', 'c'].map((tenant) => looker.look(tenant, siteOf('wait')));
  while (looks() < 3) await new Promise((later) => setTimeout(later, 10));
  const [waiting, refused] = await Promise.all([
    looker.look('d', siteOf('wait')),
    hurried.look('e', siteOf('wait')),
  ]);
  expect(refused).toEqual({ state: 'failed', reason: 'Too many browsers are running' });
  expect([waiting, ...(await Promise.all(running))]).toMatchObject(Array(4).fill({ state: 'looked' }));
});

it('never throws if storage cannot be reached', async () => {
  const away = new LambdaLooker({ ...fn.ports, bucket: 'of-another-account' });
  expect(await away.look('one', siteOf())).toEqual({ state: 'failed', reason: 'The browser failed' });
});

it('skips looks without a call where the stage has no browser', async () => {
  const skipped = 'This stage does not look at projects (look.enabled is false)';
  const none = lambdaLooker({ LOOK_SKIPPED: skipped });
  expect(none.skipped).toBe(skipped);
  expect(await none.look('one', siteOf())).toEqual({ state: 'skipped', reason: skipped });
  expect(lambdaLooker({}).skipped).toBe('This stage has no browser');
});
