// What the deploy function holds at most, as a process of its own that has nothing loaded but its bundle: JavaScript,
// since stripping types would count. The way that holds the most is a plain body of 10 MB, read from where it is staged.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

const { DEPLOY_BUNDLE, STAGED } = process.env;
console.info = () => {};
const { handler } = await import(DEPLOY_BUNDLE);

for (const id of STAGED.split(',')) {
  const { statusCode, body } = await handler(
    {
      httpMethod: 'GET',
      path: `/api/v1/deploy/staged/${id}`,
      headers: {},
      body: null,
      isBase64Encoded: false,
      requestContext: {
        requestId: randomUUID(),
        identity: { sourceIp: '192.0.2.1' },
        requestTimeEpoch: Date.now(),
      },
    },
    {},
  );
  if (statusCode !== 201) throw new Error(`deploying was answered with ${statusCode} ${body}`);
}

// Of a process that was forked, getrusage also counts what its parent held; Linux tells its own.
const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
const peakKB = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
console.log(JSON.stringify({ peakMB: peakKB / 1024 }));
