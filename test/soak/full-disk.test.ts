import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../local/service.ts';
import { newCaller } from '../support/cloud/client.ts';
import { freePort } from '../support/free-port.ts';

const folder = mkdtempSync(join(tmpdir(), 'ptp-disk-'));
const disk = join(folder, 'disk');

/** Mounts a disk a few megabytes larger than the state of an idle service, which only root can do, on Linux. */
function mounts(): boolean {
  try {
    execFileSync('mkdir', [disk]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('Skipped: only root on Linux can mount a disk');
    return false;
  }
}

const isMounted = mounts();
afterAll(() => {
  if (isMounted) execFileSync('umount', ['-l', disk]);
  rmSync(folder, { recursive: true, force: true });
});

(isMounted ? it : it.skip)(
  'a full disk refuses deploys, keeps pages, and is forgotten once there is room',
  async () => {
    const configFile = join(folder, 'config.json');
    writeFileSync(configFile, JSON.stringify({ stage: 'test', look: { enabled: false }, canary: { enabled: false } }));
    const settings = {
      port: await freePort(),
      backendPort: await freePort(),
      stateDir: join(disk, 'state'),
      configFile,
    };
    const service = await startService(settings, { log: () => {} });
    try {
      const { post, send } = newCaller(service.baseUrl);
      const deploy = (title: string) =>
        post('/api/v1/deploy', {
          projectId: 'disk',
          files: [{ path: 'index.html', content: `<title>${title}</title>` }],
        });
      const { json, status } = await deploy('One');
      expect(status).toBe(201);
      const page = async () => (await send(`/d/${json.id}/`)).text;

      const fill = join(disk, 'fill');
      expect(() => writeFileSync(fill, Buffer.alloc(100_000_000))).toThrow('ENOSPC');
      const refused = await deploy('Two');
      expect([refused.status, refused.json.error]).toEqual([502, expect.stringContaining('no partial changes')]);
      expect(await page()).toBe('<title>One</title>');

      rmSync(fill);
      expect((await deploy('Three')).status).toBe(200);
      expect(await page()).toBe('<title>Three</title>');
    } finally {
      await service.close();
    }
  },
);
