import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const GZIP = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
const member = gzipSync(Buffer.alloc(65 * 1_048_576, ' '));

it('a body of a gigabyte once decompressed takes little memory', async () => {
  const script = `
    import { jsonBody } from '${process.cwd()}/lambda/http/input.ts';
    import { LIMITS } from '${process.cwd()}/lambda/contract/limits.ts';
    const limit = LIMITS.decodedDeployBytes;
    const rawBody = () => Buffer.concat(Array(16).fill(Buffer.from('${member.toString('base64')}', 'base64')));
    const before = process.resourceUsage().maxRSS;
    const refused = await jsonBody({ headers: ${JSON.stringify(GZIP)}, rawBody }, undefined, limit).catch(({ code }) => code);
    console.log(JSON.stringify({ refused, grownKb: process.resourceUsage().maxRSS - before }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const { refused, grownKb } = JSON.parse(stdout);
  expect(refused).toBe('payload_too_large');
  expect(grownKb).toBeLessThan(128 * 1024);
});
