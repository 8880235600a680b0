import { readFileSync } from 'node:fs';
import { readGrants, reportOf, UNUSED_GRANTS } from './security/grants.ts';

/**
 * Fails if a role has a grant that no test used and no reason explains.
 * The argument is the file that the local clouds of all tests wrote: the value of `GRANTS_FILE`.
 */
const STACK = 'prompt-to-project-test';
const [file = ''] = process.argv.slice(2);
const { all, unexplained, stale } = reportOf(readGrants(readFileSync(file, 'utf8'), STACK), UNUSED_GRANTS);
for (const grant of unexplained)
  console.error(`No test used: ${grant}\n  Remove it from lib/, or add a reason to bin/security/grants.ts`);
for (const { grant } of stale)
  console.error(`No unused grant matches ${grant}: remove the row from bin/security/grants.ts`);
if (all === 0) console.error(`${file} contains no grants of ${STACK}`);
if (all === 0 || unexplained.length + stale.length > 0) process.exitCode = 1;
else console.log(`${all} grants: each was used, or has a reason`);
