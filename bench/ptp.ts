import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../local/service.ts';
import type { Figure } from './figure.ts';
import { measureMs, ratio } from './ratio.ts';

const PROMPT = 'an expense tracker';
const [PTP, TWO_CALLS] = [resolve('bin/ptp.js'), resolve('bench/two-calls.js')];

/** Measures the way from an empty folder to a live URL against a script that only makes the two calls of the API. */
export async function ptpBench(): Promise<Figure[]> {
  execFileSync(process.execPath, ['bin/build-ptp.js']);
  const dir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  const configFile = join(dir, 'config.json');
  writeFileSync(configFile, JSON.stringify({ stage: 'test', rateLimit: { anonymous: 1_000_000 } }));
  const settings = { port: 3190, backendPort: 3199, stateDir: join(dir, 'state'), configFile };
  const start = () => startService(settings, { log: () => {} });
  let folders = 0;
  const ptp = async (baseUrl: string) => {
    const cwd = join(dir, `empty-${folders++}`);
    mkdirSync(cwd);
    const args = [PTP, 'generate', PROMPT, '--deploy', '--url', baseUrl];
    return measureMs(() => live(args, cwd));
  };
  const calls = (baseUrl: string) => measureMs(() => live([TWO_CALLS, baseUrl, PROMPT], dir));
  /** Measures the first use of a service that was just started. */
  const cold = (measure: (baseUrl: string) => Promise<number>) => async () => {
    const cloud = await start();
    return measure(cloud.baseUrl).finally(() => cloud.close());
  };
  try {
    const first = await ratio(
      'ptp generate --deploy / a script with the two API calls, cold',
      { atMost: 1.5 },
      cold(ptp),
      cold(calls),
      { rounds: 3, seconds: 60 },
    );
    const cloud = await start();
    const warm = await ratio(
      'ptp generate --deploy / a script with the two API calls, warm',
      { atMost: 1.5 },
      () => ptp(cloud.baseUrl),
      () => calls(cloud.baseUrl),
    ).finally(() => cloud.close());
    return [first, warm];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Runs a program that prints the URL of a page. @throws Error unless the page is there */
async function live(args: readonly string[], cwd: string): Promise<void> {
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: cwd };
  const { stdout } = await promisify(execFile)(process.execPath, [...args], { cwd, env });
  const page = await fetch(stdout.trim());
  if (!page.ok) throw new Error(`${stdout.trim()} responds with ${page.status}`);
}
