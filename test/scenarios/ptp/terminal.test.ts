import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { freePort } from '../../support/free-port.ts';
import { ptp, type RunOptions, terminal } from '../../support/ptp.ts';

const ESC = String.fromCharCode(27);
const CTRL_C = String.fromCharCode(3);

const home = temporaryFolder();
const key = await newKey();

/** Runs `ptp` in a terminal with the suite's cloud and a key. */
const open = (args: readonly string[], { env, ...options }: RunOptions = {}) =>
  terminal(args, { cwd: home, env: { PTP_URL: cloud().baseUrl, PTP_API_KEY: key, ...env }, ...options });

async function deploy(title: string) {
  const files = [{ path: 'index.html', content: `<title>${title}</title>` }];
  const caller = newCaller();
  const { json } = await caller.post('/api/v1/deploy', { files }, { 'x-api-key': key });
  const status = async () => (await caller.send(`/d/${json.id}/`)).status;
  return { id: json.id as string, url: json.url as string, status };
}

describe('ptp login', () => {
  it('asks for the key, does not show it, and saves it', async () => {
    const config = join(home, 'config');
    const session = open(['login'], { env: { XDG_CONFIG_HOME: config, PTP_API_KEY: '' } });
    await session.shows(`API key for ${cloud().baseUrl}`);
    session.type(`${key}\r`);
    expect(await session.exit).toBe(0);
    expect(session.text()).toContain('Logged in to ');
    for (const part of key.split('_').slice(2)) expect(session.raw()).not.toContain(part);
    const saved = JSON.parse(readFileSync(join(config, 'ptp', 'credentials.json'), 'utf8'));
    expect(saved).toEqual({ url: cloud().baseUrl, keys: { [cloud().baseUrl]: key } });
  });

  it('ends with 130 on Ctrl-C, without a message, and saves nothing', async () => {
    const config = join(home, 'canceled');
    const session = open(['login'], { env: { XDG_CONFIG_HOME: config } });
    await session.shows('API key for ');
    session.type(CTRL_C);
    expect(await session.exit).toBe(130);
    expect(session.text()).not.toMatch(/error|abort/i);
    expect(existsSync(config)).toBe(false);
  });
});

describe('ptp delete', () => {
  it('names the deployment and asks before it deletes it', async () => {
    const { id, url, status } = await deploy('My page');
    const no = open(['delete', id]);
    await no.shows(`Delete ${url} "My page"?`);
    no.type('n');
    expect(await no.exit).toBe(1);
    expect(no.text()).toContain('Nothing was changed');
    expect(await status()).toBe(200);

    const yes = open(['delete', id]);
    await yes.shows('Delete ');
    yes.type('y');
    expect(await yes.exit).toBe(0);
    expect(yes.text()).toContain(`Deleted ${id}`);
    expect(await status()).toBe(410);
  });

  it('shows a title without what would control the terminal', async () => {
    const { id, url } = await deploy(`a${ESC}[2Jb\nc`);
    const session = open(['delete', id]);
    await session.shows(`Delete ${url} "a [2Jb c"?`);
    session.type(CTRL_C);
    expect(await session.exit).toBe(130);
  });
});

it('ends with 130 when Ctrl-C interrupts a retry', async () => {
  const session = open(['usage', '--url', `http://127.0.0.1:${await freePort()}`]);
  await session.shows('retrying in ');
  session.type(CTRL_C);
  expect(await session.exit).toBe(130);
  expect(session.text()).not.toContain('retrying in 4 s');
});

it('prints aligned tables, in whole lines', async () => {
  const session = open(['usage']);
  expect(await session.exit).toBe(0);
  expect(session.text()).toMatch(/^DAY +OPERATION +CALLS +TOKENS +FILES +BYTES +MS +STATUSES +COST\r\n/);
});

it.each([
  [{}, [], true],
  [{ NO_COLOR: '1' }, [], false],
  [{}, ['--no-color'], false],
])('shows colors with %j %j: %s', async (env, args, colored) => {
  const help = open([...args, '--help'], { env });
  await help.exit;
  expect(help.raw().includes(ESC)).toBe(colored);
  const question = open([...args, 'login'], { env });
  await question.shows('API key');
  question.type(CTRL_C);
  await question.exit;
  // What colors are: escape sequences that end in m.
  expect(
    question
      .raw()
      .split(ESC)
      .some((part) => /^\[[\d;]+m/.test(part)),
  ).toBe(colored);
});

it('prints nothing but text into a pipe', async () => {
  for (const args of [['--help'], ['help', 'exit-codes'], ['usage', '--help']])
    expect((await ptp(args)).stdout).not.toContain(ESC);
});

describe('npm run takedown', () => {
  it('asks before it acts', async () => {
    const { id, url, status } = await deploy('Spam');
    const script = resolve('cli/takedown.ts');
    const env = { STATE_DIR: resolve(cloud().stateDir) };
    const no = terminal([id], { script, env });
    await no.shows(`Take ${url} down?`);
    no.type('n');
    expect(await no.exit).toBe(1);
    expect(await status()).toBe(200);
    const yes = terminal([id, '--reason', 'Spam'], { script, env });
    await yes.shows(`Take ${url} down?`);
    yes.type('y');
    await yes.shows('is taken down, with the reason: Spam');
    expect(await status()).toBe(451);
    // It would wait until the copies at the edge are removed.
    yes.type(CTRL_C);
    await yes.exit;
  });
});
