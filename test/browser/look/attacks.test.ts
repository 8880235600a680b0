import { randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failedRows } from '../../support/rows.ts';
import { escapingSite } from './escapes.ts';
import { HANGING } from './hanging.ts';
import { LookProcess } from './look-process.ts';

const CANARY = `canary-${randomUUID()}`;
const SOUND = {
  'index.html':
    '<!doctype html><html lang="en"><title>Sound</title><main><h1>Sound</h1><p>Nothing to press.</p></main>',
};

let folder: string;
let tcp: Server;
let udp: Socket;
let packets = 0;
let look: LookProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ptp-attacks-'));
  writeFileSync(join(folder, 'secret.txt'), CANARY);
  tcp = createServer((socket) => {
    packets++;
    socket.destroy();
  });
  await new Promise<void>((listening) => tcp.listen(0, listening));
  udp = createSocket({ type: 'udp6', ipv6Only: false }).on('message', () => packets++);
  await new Promise<void>((listening) => udp.bind(0, listening));
  look = await LookProcess.start({
    AWS_SECRET_ACCESS_KEY: CANARY,
    AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    TMPDIR: folder,
    PATH: String(process.env.PATH),
  });
});

afterAll(async () => {
  await look.close();
  tcp.close();
  udp.close();
  rmSync(folder, { recursive: true });
});

it('lets no page reach the network, the machine or the credentials of the function', async () => {
  const { port } = tcp.address() as AddressInfo;
  const targets = { tcp: port, udp: udp.address().port, file: join(folder, 'secret.txt') };
  let problems: string[];
  // On a busy machine, the time of a look may be over before the page has tried everything.
  do {
    const outcome = await look.look(escapingSite(targets));
    problems = outcome.looked ? outcome.problems.map(({ message }) => message) : [outcome.reason];
    expect(JSON.stringify(outcome)).not.toContain(CANARY);
    expect(packets).toBe(0);
  } while (!problems.some((message) => message.includes('escapes: ')));
  // The page has tried everything, and nothing has succeeded.
  expect(problems).toContainEqual(expect.stringContaining('escapes: []'));
});

it('ends every page that does not end, and looks at the next one', async () => {
  const rows = Object.entries(HANGING);
  const failures = await failedRows(rows, async (name: unknown, files: unknown) => {
    const begun = performance.now();
    const outcome = await look.look(files as Record<string, string>);
    // The deadline of the function, which a busy machine does not move.
    expect(performance.now() - begun).toBeLessThan(60_000);
    // Eight workers that loop take the processors from the browser: on a busy machine, it says so.
    const isBusy = !outcome.looked && outcome.reason.includes('The browser is too slow');
    expect({ name, ends: outcome.looked || isBusy }).toEqual({ name, ends: true });
  });
  expect(failures).toEqual([]);
  expect(await look.look(SOUND)).toMatchObject({ looked: true, problems: [] });
  // Neither profiles nor folders of the browser are left.
  expect(readdirSync(folder)).toEqual(['secret.txt']);
}, 1_800_000);
