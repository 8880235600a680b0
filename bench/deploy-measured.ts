import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CLIENT } from '../lambda/platform/aws.ts';
import { atMost, type Figure, measureMs, ratio } from './figure.ts';
import { callsOf, deployLarge, handlerOf, PROJECT, type projectOf } from './invoke.ts';

const s3 = new S3Client(CLIENT);
const invoke = await handlerOf('DeploymentsApi');
const deploy = () => deployLarge(invoke);

/** The least that a deploy requires: parsing its body and storing as many bytes. */
async function parseAndPut(): Promise<void> {
  const { files } = JSON.parse(PROJECT.toString()) as ReturnType<typeof projectOf>;
  const Key = `floor/${files.length}`;
  await s3.send(new PutObjectCommand({ Bucket: process.env.SITES_BUCKET, Key, Body: PROJECT }));
}

// An instance reads secrets with its first deploy, and the state of the stage every ten seconds.
await deploy();
const calls = await callsOf(deploy);
const figures: Figure[] = [
  await ratio(
    'deploy of 10 MB / parse and one put',
    { atMost: 1.4 },
    () => measureMs(deploy),
    () => measureMs(parseAndPut),
    { seconds: 20 },
  ),
  atMost('deploy of 10 MB in a warm function, S3 writes', calls.s3Writes, 1),
  // The request, its bytes, who deployed what, and the pointer.
  atMost('deploy of 10 MB in a warm function, DynamoDB calls', calls.reads + calls.writes, 4),
];
console.log(JSON.stringify(figures));
