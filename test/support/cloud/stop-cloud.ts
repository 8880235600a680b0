import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { OperatorFile } from '../../../local/cloud/cloud.ts';
import { ORIGIN_FAULT } from '../../../local/cloud/cloudfront/distribution.ts';
import { closeShared } from '../shared.ts';
import { clouds } from './cloud.ts';
import { issuedFile } from './tokens.ts';

/** Where the output of the last run's service stays, to look for the cause of a failure. */
const LAST_LOG = 'node_modules/.cache/service-under-test.log';

/**
 * Ends the clouds that test files share, removes their state, and checks that no table or log contains a key or token of a
 * test, and that no edge hid a failure of an origin.
 */
export default async (): Promise<void> => {
  await closeShared();
  const running = Object.values(clouds());
  const stored = await Promise.all(running.map(({ stateDir }) => allItems(stateDir)));
  for (const stop of globalThis.stopClouds ?? []) await stop();
  for (const [index, { stateDir, log }] of running.entries()) check(stateDir, log, stored[index] ?? '');
};

/** @throws Error if the service of a cloud stored or logged a credential, or its edge hid a failure */
function check(stateDir: string, log: string, stored: string): void {
  const issued = existsSync(issuedFile(stateDir)) ? readFileSync(issuedFile(stateDir), 'utf8').split('\n') : [];
  const written = readFileSync(log, 'utf8');
  writeFileSync(LAST_LOG, written);
  rmSync(stateDir, { recursive: true, force: true });
  for (const credential of issued.filter((line) => line !== '')) {
    for (const part of secretParts(credential)) {
      if (written.includes(part)) throw new Error(`The service logged a credential: ${credential}`);
      if (stored.includes(part)) throw new Error(`A table contains a credential: ${credential}`);
    }
  }
  const faults = written.split('\n').filter((line) => line.startsWith(ORIGIN_FAULT));
  if (faults.length > 0) throw new Error(`The edge hid failures of an origin:\n${faults.join('\n')}`);
}

/** Returns the secret of a key, or the payload and signature of a token. */
function secretParts(credential: string): string[] {
  const parts = credential.startsWith('ptp_') ? [credential.split('_')[2] ?? ''] : credential.split('.').slice(1);
  return parts.filter((part) => part.length > 20);
}

async function allItems(stateDir: string): Promise<string> {
  const file = join(stateDir, 'operator.json');
  const { endpoint, region, ...credentials } = JSON.parse(readFileSync(file, 'utf8')) as OperatorFile;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const { TableNames = [] } = await client.send(new ListTablesCommand());
  const texts: string[] = [];
  for (const TableName of TableNames)
    for await (const page of paginateScan({ client }, { TableName })) texts.push(JSON.stringify(page.Items));
  client.destroy();
  return texts.join('\n');
}
