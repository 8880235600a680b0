import { crc32 } from 'node:zlib';
import { S3Client } from '@aws-sdk/client-s3';
import { ArchiveStore } from '../../../../lambda/deployments/archive-store.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A client that sends nothing, and what it would have sent. */
function client() {
  const sent: Sent[] = [];
  const handle = async (request: Sent) => {
    sent.push(request);
    return { response: { statusCode: 200, headers: {} } };
  };
  const s3 = new S3Client({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: { handle } as never,
  });
  return { s3, sent };
}

it('signs the checksum of an archive instead of its body', async () => {
  const { s3, sent } = client();
  const archive = Buffer.from('a site');
  await new ArchiveStore(s3, 'sites').put('id', 'version', archive);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(archive));
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    method: 'PUT',
    path: '/sites/id/version.zip',
    headers: {
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      'x-amz-checksum-crc32': checksum.toString('base64'),
    },
  });
  const [, signedHeaders = ''] = /SignedHeaders=([^,]*)/.exec(sent[0]?.headers.authorization ?? '') ?? [];
  expect(signedHeaders.split(';')).toEqual(expect.arrayContaining(['x-amz-checksum-crc32', 'x-amz-content-sha256']));
});
