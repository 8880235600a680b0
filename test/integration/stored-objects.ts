import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { Account } from '../../local/cloud/account.ts';
import type { OperatorFile } from '../../local/cloud/cloud.ts';
import { cloud } from './cloud.ts';

/** Returns the object keys under a prefix in the bucket of deployments. */
export async function storedObjects(
  prefix: string,
  { stateDir }: { readonly stateDir: string } = cloud(),
): Promise<string[]> {
  const read = (name: string) => JSON.parse(readFileSync(join(stateDir, name), 'utf8'));
  const { endpoint, region, ...credentials } = read('operator.json') as OperatorFile;
  const { buckets } = read('account.json') as Account;
  const Bucket = buckets.find(({ name }) => name.includes('archives'))?.name;
  const s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
  s3.destroy();
  return Contents.map(({ Key = '' }) => Key);
}
