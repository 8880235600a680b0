import { createServer } from 'node:http';
import { main } from '../../../cli/smoke-command.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { runMain } from '../../support/command.ts';
import { freePort } from '../../support/free-port.ts';
import { serve } from '../../support/serve.ts';

const smoke = (...args: string[]) => runMain(main, args, {});

describe('npm run smoke', () => {
  it('prints a line per step with its time, and says what it skips and why', async () => {
    const key = await newKey('--limit', '1000');
    const { code, stdout, stderr } = await smoke(
      '--url',
      cloud().baseUrl,
      '--key',
      key,
      '--only',
      'deploy,visit,token,list',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^- token +skipped: pass --token, an access token with the scope assets:write$/),
      expect.stringMatching(/^✓ deploy {9} *[\d,]+ ms {2}A deploy publishes files at a URL \(http.*\/d\/\w+\)$/),
      expect.stringMatching(/^✓ list .* \(after [\d.]+ s\)$/),
      expect.stringMatching(/^✓ visit .* ms {2}A page and its files load/),
      expect.stringMatching(/^3 passed, 0 failed, 1 skipped in [\d.]+ s, with \d+ requests, of which \d+ count/),
      '',
    ]);
    expect(stdout).not.toContain(key);
  });

  it('says what a failure means and where to look, also as JSON', async () => {
    const broken = createServer((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
    const { port, close } = await serve(broken, 0, 'localhost');
    const url = `http://localhost:${port}`;
    const args = ['--url', url, '--only', 'agents,deploy'];
    try {
      const { code, stdout, stderr } = await smoke(...args);
      expect(code).toBe(1);
      expect(stdout).toContain('      problem: POST /mcp returned 502 instead of 202: <h1>Bad gateway</h1>\n');
      expect(stdout).toMatch(/^ {6}means: MCP clients cannot connect/m);
      expect(stdout).toMatch(/^ {6}look at: The log group/m);
      expect(stdout).toContain('0 passed, 2 failed, 0 skipped');
      expect(stderr).toContain('Failed: deploy, agents');
      const { steps } = JSON.parse((await smoke(...args, '--json')).stdout);
      expect(steps).toMatchObject([
        { name: 'deploy', status: 'failed', ms: expect.any(Number) },
        {
          name: 'agents',
          status: 'failed',
          problem: expect.stringContaining('502'),
          lookAt: expect.any(String),
        },
      ]);
    } finally {
      await close();
    }
  });

  it('explains a wrong command line and a service that is unreachable', async () => {
    expect(await smoke('--url', cloud().baseUrl, '--only', 'nothing')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Unknown step "nothing": the steps are '),
    });
    expect(await smoke()).toMatchObject({ code: 2, stderr: expect.stringContaining('Missing option --url') });
    expect(await smoke('--url', `http://localhost:${await freePort()}`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^http:\/\/localhost:\d+\/ is unreachable \(ECONNREFUSED\): check the output BaseUrl/,
      ),
    });
  });
});
