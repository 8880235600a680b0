import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { visitorOf } from '../../support/private-pages.ts';
import { ptp } from '../../support/ptp.ts';
import { ownOrigins } from '../clouds.ts';

const service = await ownOrigins();
const cwd = mkdtempSync(join(tmpdir(), 'ptp-data-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const run = (...args: string[]) =>
  ptp(args, { cwd, env: { PTP_URL: service.baseUrl, XDG_CONFIG_HOME: cwd } });

const RULES = {
  create: 'visitor',
  read: 'visitor',
  review: true,
  schema: { type: 'object', properties: { name: { type: 'string' }, text: { type: 'string' } } },
};

test('shows what visitors wrote, approves and deletes it', async () => {
  writeFileSync(join(cwd, 'index.html'), '<title>Guestbook</title>');
  writeFileSync(join(cwd, '_data.json'), JSON.stringify({ messages: RULES }));
  const { stdout } = await run('deploy');
  const id = stdout.trim().split('/').at(-1) ?? '';
  const visit = visitorOf(id, service.baseUrl);
  const write = async (name: string, text: string) => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const { json } = await visit('/.data/messages', { method: 'POST', body: { name, text }, headers });
    return json.id as string;
  };
  const ada = await write('Ada', 'Hello\nyou');
  const bert = await write('Bert', '=1+1');

  expect(await run('data')).toMatchObject({
    stdout: 'messages\t2\tvisitor\tvisitor\tname, text\n',
    stderr: expect.stringMatching(/^2 items of 10,000, \d+ B of 50\.00 MB\n$/),
  });
  const table = (await run('data', 'messages')).stdout.trimEnd().split('\n');
  expect(table.map((line) => line.split('\t').filter((_, i) => i !== 1))).toEqual([
    [bert, 'waiting', 'Bert', '=1+1'],
    [ada, 'waiting', 'Ada', expect.stringContaining('Hello')],
  ]);
  expect(await run('data', 'messages', '-n', '1')).toMatchObject({
    stderr: 'There are more: add --limit 5, or --csv for all\n',
  });
  expect((await run('data', 'messages', '--csv')).stdout).toContain('"Bert","\'=1+1"');
  expect(JSON.parse((await run('data', 'messages', '--json')).stdout)).toMatchObject([
    { id: bert },
    { id: ada },
  ]);

  expect((await run('data', 'approve', 'messages', ada)).stderr).toContain('Approved');
  expect((await visit('/.data/messages')).json.items).toMatchObject([{ id: ada }]);
  expect((await run('data', 'delete', 'messages', bert)).stderr).toMatch(/add --yes|-y/);
  expect((await run('data', 'delete', 'messages', bert, '--yes')).stderr).toMatch(
    /^Deleted .*; backups of the service keep it until 20\d\d-/,
  );
  const { stdout: link } = await run('data', 'open');
  expect(new URL(link.trim()).pathname).toBe('/.data/owner');
  expect((await run('data', 'clear', 'messages', '-y')).stderr).toMatch(
    /^Deleted 1 item of messages; backups/,
  );
  expect(await run('data', 'messages')).toMatchObject({ stdout: '', stderr: 'messages has no items\n' });
  expect(await run('data', 'other')).toMatchObject({ code: 1, stderr: expect.stringContaining('messages') });
});
