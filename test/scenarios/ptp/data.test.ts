import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/at-end.ts';
import { visitorOf } from '../../support/private-pages.ts';
import { ptp } from '../../support/ptp.ts';
import { ownOrigins } from '../clouds.ts';

const service = await ownOrigins();
const cwd = temporaryFolder();

const run = (...args: string[]) => ptp(args, { cwd, env: { PTP_URL: service.baseUrl, XDG_CONFIG_HOME: cwd } });

/** Of a collection with the name of a command. */
const UNREVIEWED = {
  create: 'visitor',
  schema: { type: 'object', properties: { vote: { type: 'string' } } },
};
const RULES = {
  create: 'visitor',
  read: 'visitor',
  review: true,
  schema: { type: 'object', properties: { name: { type: 'string' }, text: { type: 'string' } } },
};

test('shows what visitors wrote, approves and deletes it', async () => {
  writeFileSync(join(cwd, 'index.html'), '<title>Guestbook</title>');
  writeFileSync(join(cwd, '_data.json'), JSON.stringify({ messages: RULES, approve: UNREVIEWED }));
  const { stdout } = await run('deploy');
  const id = stdout.trim().split('/').at(-1) ?? '';
  const visit = visitorOf(id, service.baseUrl);
  const write = async (collection: string, body: object) => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const { json } = await visit(`/.data/${collection}`, { method: 'POST', body, headers });
    return json.id as string;
  };
  const ada = await write('messages', { name: 'Ada', text: 'Hello\nyou' });
  const bert = await write('messages', { name: 'Bert', text: '=1+1' });

  expect(await run('data')).toMatchObject({
    stdout: 'messages\t2\tvisitor\tvisitor\tname, text\napprove\t0\tvisitor\towner\tvote\n',
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
  expect(JSON.parse((await run('data', 'messages', '--json')).stdout)).toMatchObject([{ id: bert }, { id: ada }]);

  expect((await run('data', 'approve', 'messages', ada)).stderr).toContain(`Approved ${ada}: visitors see it now`);
  expect((await visit('/.data/messages')).json.items).toMatchObject([{ id: ada }]);
  expect((await run('data', 'delete', 'messages', bert)).stderr).toMatch(/add --yes|-y/);
  expect((await run('data', 'delete', 'messages', bert, '--yes')).stderr).toMatch(
    /^Deleted .*; backups of the service keep it until 20\d\d-/,
  );
  const { stdout: link } = await run('data', 'open');
  expect(new URL(link.trim()).pathname).toBe('/.data/owner');
  expect((await run('data', 'clear', 'messages', '-y')).stderr).toMatch(/^Deleted 1 item of messages; backups/);
  expect(await run('data', 'messages')).toMatchObject({ stdout: '', stderr: 'messages has no items\n' });
  const vote = await write('approve', { vote: 'yes' });
  expect((await run('data', 'show', 'approve')).stdout).toContain(vote);
  expect((await run('data', 'approve', 'approve', vote)).stderr).toContain('needs no approval');
  expect(await run('data', 'webhook')).toMatchObject({
    stdout: '',
    stderr: 'No URL is notified of new items\n',
  });
  expect(await run('data', 'other')).toMatchObject({ code: 1, stderr: expect.stringContaining('messages') });
});
