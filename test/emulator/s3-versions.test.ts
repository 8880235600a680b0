import { join } from 'node:path';
import {
  type DeleteMarkerEntry,
  DeleteObjectCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  type S3Client,
} from '@aws-sdk/client-s3';
import { type Backend, startBackend } from '../../local/cloud/backend-server.ts';
import { expireVersions, ObjectStore } from '../../local/cloud/s3/store.ts';
import { temporaryFolder } from '../support/at-end.ts';
import { account, allow, bucketAs, role } from '../support/test-backend.ts';

const Bucket = 'kept';
const everything = ['arn:aws:s3:::kept', 'arn:aws:s3:::kept/*', 'arn:aws:s3:::plain', 'arn:aws:s3:::plain/*'];
const operator = role('Operator', allow('s3:*', everything));
const api = role('Api', allow(['s3:GetObject', 's3:DeleteObject', 's3:PutObject'], everything));
const versions = [
  { prefix: 'sites/', days: 35 },
  { prefix: 'staged/', days: 1 },
];
const BUCKETS = [
  { name: Bucket, policy: [], versions },
  { name: 'plain', policy: [] },
];

let backend: Backend;
let s3: S3Client;
let put: ReturnType<typeof bucketAs>['put'];
let get: ReturnType<typeof bucketAs>['get'];

async function start(buckets = BUCKETS): Promise<void> {
  const settings = { backendPort: 0, stateDir };
  backend = await startBackend(account([operator, api], buckets), settings);
  ({ client: s3, put, get } = bucketAs(backend.url, operator, Bucket));
}
afterAll(() => backend.close());
const stateDir = temporaryFolder();
await start();

const list = async (Prefix: string) => {
  const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix }));
  const named = ({ Key, IsLatest }: ObjectVersion | DeleteMarkerEntry) => `${Key}${IsLatest ? ' latest' : ''}`;
  return { versions: Versions.map(named), markers: DeleteMarkers.map(named) };
};
const version = async (Key: string, VersionId: string | undefined) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, VersionId }));
  return Body?.transformToString();
};

it('deletes a version permanently, and makes the previous one current', async () => {
  const { VersionId: first } = await put('c', 'one');
  const { VersionId: second } = await put('c', 'two');
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'c', VersionId: second }));
  expect(await get('c')).toBe('one');
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'c', VersionId: first }));
  expect(await list('c')).toEqual({ versions: [], markers: [] });
});

it('changes tags of the current version without adding a version', async () => {
  await put('e', 'one', { Tagging: 'state=pending' });
  await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key: 'e' }));
  expect(await list('e')).toEqual({ versions: ['e latest'], markers: [] });
});

it('lists versions in pages', async () => {
  for (const content of ['1', '2', '3']) await put('page/x', content);
  await put('page/y', '4');
  const seen: (string | undefined)[][] = [];
  let KeyMarker: string | undefined;
  let VersionIdMarker: string | undefined;
  do {
    const page = { Bucket, Prefix: 'page/', MaxKeys: 2, KeyMarker, VersionIdMarker };
    const { Versions = [], ...next } = await s3.send(new ListObjectVersionsCommand(page));
    seen.push(Versions.map(({ Key }) => Key));
    ({ NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = next);
  } while (KeyMarker !== undefined);
  expect(seen).toEqual([
    ['page/x', 'page/x'],
    ['page/x', 'page/y'],
  ]);
});

it('expires old versions, and delete markers that hide no version', async () => {
  const store = new ObjectStore(join(stateDir, 'expiring'), BUCKETS);
  const write = (key: string) => {
    const head = { key, size: 1, etag: '', lastModified: Date.now(), headers: {}, checksums: {} };
    return store.put(Bucket, head, Buffer.from('x'), () => {});
  };
  for (const key of ['sites/deleted', 'staged/body', 'sites/live', 'sites/live']) await write(key);
  for (const key of ['sites/deleted', 'staged/body']) store.delete(Bucket, key);
  const left = (days: number) => {
    expireVersions(store, Bucket, versions, Date.now() + days * 86_400_000);
    return store.versions(Bucket, '').map(({ key, deleteMarker }) => `${key}${deleteMarker ? ' marker' : ''}`);
  };
  const kept = ['sites/deleted marker', 'sites/deleted', 'sites/live', 'sites/live'];
  expect(left(0.9)).toEqual([...kept, 'staged/body marker', 'staged/body']);
  expect(left(34.9)).toEqual(kept);
  expect(left(35.1)).toEqual(['sites/live']);
});

it('treats objects from before the bucket had versions as their first version', async () => {
  await backend.close();
  await start([{ name: Bucket, policy: [], versions: undefined as never }, ...BUCKETS.slice(1)]);
  await put('before', 'one');
  await backend.close();
  await start();
  await put('before', 'two');
  expect([await get('before'), await version('before', 'null')]).toEqual(['two', 'one']);
});
