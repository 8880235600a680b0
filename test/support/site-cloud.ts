import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudWatch } from '../../local/cloud/cloudwatch/cloudwatch.ts';
import { type ServiceOptions, type ServiceSettings, startService } from '../../local/service.ts';
import { newCaller } from './cloud/client.ts';
import { freePort } from './free-port.ts';

/** The files of a site by path; a buffer is sent as base64. */
export type SiteFiles = Readonly<Record<string, string | Buffer>>;

export interface DeployedSite {
  readonly id: string;
  /** The URL from the response, without a trailing slash. */
  readonly url: string;
  /** The `X-Deployment-Token`. */
  readonly token: string;
}

/** A local cloud with a state of its own, for tests that visit deployed sites. */
export interface SiteCloud {
  readonly baseUrl: string;
  readonly stateDir: string;
  readonly cloudWatch: CloudWatch;
  /** @param projectId replaces an earlier deploy with the same one */
  deploy(files: SiteFiles, projectId?: string): Promise<DeployedSite>;
  /** Kills S3 and DynamoDB, so that the site function fails. */
  killBackend(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param siteDomain gives every deployment an origin of its own, as the stage's configuration does
 * @param config other settings of the stage, which does not look at projects unless they say so
 * @param options of the cloud
 */
export async function startSiteCloud(
  siteDomain?: string,
  config: object = {},
  { log = () => {}, ...options }: Partial<ServiceSettings> & Pick<ServiceOptions, 'log'> = {},
): Promise<SiteCloud> {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-sites-'));
  const configFile = join(folder, 'config.json');
  writeFileSync(
    configFile,
    JSON.stringify({
      stage: 'test',
      siteDomain,
      look: { enabled: false },
      canary: { enabled: false },
      ...config,
    }),
  );
  const settings = {
    port: await freePort(),
    backendPort: await freePort(),
    stateDir: join(folder, 'state'),
    configFile,
    ...options,
  };
  const cloud = await startService(settings, { log });
  return {
    baseUrl: cloud.baseUrl,
    cloudWatch: cloud.cloudWatch,
    stateDir: settings.stateDir,
    killBackend: cloud.killBackend,
    async deploy(files, projectId) {
      const body = {
        files: Object.entries(files).map(([path, content]) => toFile(path, content)),
        projectId,
      };
      const { status, json, headers } = await newCaller(cloud.baseUrl).post('/api/v1/deploy', body);
      if (status >= 300) throw new Error(`The deploy failed with ${status}: ${JSON.stringify(json)}`);
      return { id: json.id, url: json.url, token: String(headers['x-deployment-token']) };
    },
    async close() {
      await cloud.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function toFile(path: string, content: string | Buffer) {
  return typeof content === 'string'
    ? { path, content }
    : { path, content: content.toString('base64'), encoding: 'base64' };
}
