import { hash } from 'node:crypto';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { newStagedId } from '../lambda/deployments/staging/staged-bodies.ts';
import { ANONYMOUS, type Sender } from '../lambda/stored/deployment-owner.ts';
import { readAssembly } from '../local/cloud/template/template.ts';
import type { Figure } from './figure.ts';
import { functionEnvironment } from './function-environment.ts';
import { bundleFile, inProcess } from './in-process.ts';
import { incrementalTime } from './incremental.ts';
import { projectOf } from './project.ts';
import { measureMs, ratio, share } from './ratio.ts';
import { startBenchService } from './service.ts';

/** Measures deploys and visits against their floors, on the endpoints of one local cloud. */
export async function deploymentsBench(): Promise<Figure[]> {
  const cloud = await startBenchService();
  try {
    const env = functionEnvironment(cloud.stateDir, cloud.baseUrl);
    return [
      ...(await inProcess<Figure[]>('bench/deployments-measured.ts', env)),
      await memory(cloud.stateDir, env),
      await smallDeploys(cloud.baseUrl),
      await incrementalTime(cloud.baseUrl),
    ];
  } finally {
    await cloud.close();
  }
}

async function memory(stateDir: string, env: Record<string, string>): Promise<Figure> {
  const staged = { ...env, STAGED: await stageBodies(5, env) };
  const { peakMB } = await inProcess<{ peakMB: number }>(bundleFile('bench/deploy-memory.ts'), staged);
  const { template } = readAssembly(join(stateDir, 'cdk.out'));
  const { MemorySize } =
    Object.values(template.Resources).find(({ Properties }) => Properties?.Description === 'Deploys files')
      ?.Properties ?? {};
  const limit = { atMost: 0.25 };
  return share('deploy of 10 MB, peak memory / the function’s', limit, peakMB, Number(MemorySize), 'MB');
}

/** Measures deploys over HTTP against reading the deployment, which takes the same path and reads one item. */
async function smallDeploys(baseUrl: string): Promise<Figure> {
  const body = JSON.stringify(projectOf(5, 4_096));
  const headers = { 'content-type': 'application/json' };
  const post = () => fetch(`${baseUrl}/api/v1/deploy`, { method: 'POST', headers, body });
  const response = await post();
  const { id } = (await response.json()) as { id: string };
  const token = { 'X-Deployment-Token': response.headers.get('x-deployment-token') ?? '' };
  const deploy = async () => {
    const response = await post();
    await response.arrayBuffer();
    if (response.status !== 201) throw new Error(`the deploy failed: ${response.status}`);
  };
  const read = async () => {
    const response = await fetch(`${baseUrl}/api/v1/deployments/${id}`, { headers: token });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`reading the deployment failed: ${response.status}`);
  };
  return ratio(
    'deploy of 5 files / reading the deployment, over HTTP',
    { atMost: 4 },
    () => measureMs(deploy),
    () => measureMs(read),
    { rounds: 50 },
  );
}

const ANONYMOUS_SENDER: Sender = { owner: ANONYMOUS, token: undefined };

/**
 * Stores bodies of 10 MB where API Gateway would write them, and returns their ids, separated by commas. All but the first
 * have one file by its hash, so that the archive of the live version is in memory too.
 */
async function stageBodies(count: number, env: Record<string, string>): Promise<string> {
  const s3 = new S3Client({
    endpoint: env.AWS_ENDPOINT_URL_S3 ?? '',
    region: env.AWS_REGION ?? '',
    credentials: {
      accessKeyId: env.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '',
    },
    forcePathStyle: true,
  });
  const { files } = projectOf(200, 50_000);
  const [{ path, content = '' } = {}, ...others] = files;
  const known = [{ path, sha256: hash('sha256', content) }, ...others];
  const ids = Array.from({ length: count }, () => newStagedId(ANONYMOUS_SENDER));
  for (const [i, id] of ids.entries()) {
    const Key = `staged/${id}`;
    const ContentType = 'application/json';
    const Body = JSON.stringify({ projectId: 'staged', files: i === 0 ? files : known });
    await s3.send(new PutObjectCommand({ Bucket: env.SITES_BUCKET, Key, Body, ContentType }));
  }
  s3.destroy();
  return ids.join(',');
}
