import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CLIENT } from '../lambda/platform/aws.ts';
import { callsOf } from './aws-calls.ts';
import { atMost, type Figure } from './figure.ts';
import { handlerOf } from './invoke.ts';
import { deployLarge, PROJECT, type projectOf } from './project.ts';
import { measureMs, ratio } from './ratio.ts';

const s3 = new S3Client(CLIENT);
const invoke = await handlerOf(process.env.DEPLOY_BUNDLE ?? '');
const deploy = () => deployLarge(invoke);

/** The least that a deploy requires: parsing its body and storing as many bytes. */
async function parseAndPut(): Promise<void> {
  const { files } = JSON.parse(PROJECT.toString()) as ReturnType<typeof projectOf>;
  const Key = `floor/${files.length}`;
  await s3.send(new PutObjectCommand({ Bucket: process.env.SITES_BUCKET, Key, Body: PROJECT }));
}

const calls = await callsOf(deploy);
const figures: Figure[] = [
  await ratio(
    'deploy of 10 MB / parse and one put',
    { atMost: 1.4 },
    () => measureMs(deploy),
    () => measureMs(parseAndPut),
    { seconds: 20 },
  ),
  atMost('deploy of 10 MB, S3 writes', calls.s3Writes, 1),
  // Besides, four writes count: the request, its bytes for the caller and for all callers, and who deployed what.
  atMost('deploy of 10 MB, DynamoDB calls', calls.reads + calls.writes - 4, 3),
];
console.log(JSON.stringify(figures));
