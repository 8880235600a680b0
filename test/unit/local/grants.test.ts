import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGrants, reportOf } from '../../../bin/security/grants.ts';
import { authorize, GRANTS_FILE, noteAllowed } from '../../../local/cloud/iam.ts';
import { ACCOUNT_ID, allow, role } from '../../support/test-backend.ts';

const folder = mkdtempSync(join(tmpdir(), 'ptp-grants-'));
afterAll(() => {
  delete process.env[GRANTS_FILE];
  rmSync(folder, { recursive: true });
});

it('reports unused grants of a stack, and reasons without an unused grant', () => {
  const file = join(folder, 'grants.txt');
  process.env[GRANTS_FILE] = file;
  const table = `arn:aws:dynamodb:us-east-1:${ACCOUNT_ID}:table/stack-Jobs133271E2`;
  const objects = ['arn:aws:s3:::stack-files6457dea2/in/*', 'arn:aws:s3:::stack-files6457dea2/out/*'];
  const reader = role('stack-ReaderRole9470CA8D', allow('dynamodb:GetItem', table), {
    ...allow('s3:GetObject', ''),
    Resource: objects,
  });
  const other = role('other-ReaderRole9470CA8D', allow('s3:GetObject', '*'));
  for (const one of [reader, other]) noteAllowed(one);
  const read = { principal: reader, action: 's3:GetObject' };
  authorize({ ...read, resource: 'arn:aws:s3:::stack-files6457dea2/in/a' });
  expect(() => authorize({ ...read, resource: 'arn:aws:s3:::stack-files6457dea2/else/a' })).toThrow();

  const grants = readGrants(readFileSync(file, 'utf8'), 'stack');
  expect(grants).toEqual([
    { text: 'ReaderRole dynamodb:GetItem dynamodb:table/Jobs', used: false },
    { text: 'ReaderRole s3:GetObject s3:files/in/*', used: true },
    { text: 'ReaderRole s3:GetObject s3:files/out/*', used: false },
  ]);
  const explained = { grant: /dynamodb:GetItem/, reason: 'for the test' };
  const stale = { grant: /files\/in/, reason: 'for the test' };
  expect(reportOf(grants, [explained, stale])).toEqual({
    all: 3,
    unexplained: ['ReaderRole s3:GetObject s3:files/out/*'],
    stale: [stale],
  });
});
