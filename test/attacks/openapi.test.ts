/**
 * Random and hostile requests to every operation of the OpenAPI document: valid ones, ones that are wrong in one place, and
 * ones that no client would send, with the ids and credentials of the sender and of others, from many addresses.
 *
 * `SEED=<n>` repeats a run: npm test -- --selectProjects integration --testPathPatterns attacks/openapi
 *
 * An attacker gains no money by them but an outage, if a request crashes a function, fills its memory or has no response. Those
 * that are rejected cost what the flood of docs/costs.md costs: 1,000 a second are $512 a day without limits, $490 with them and
 * $139 with `"waf": true`.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { faultsOf } from '../support/hostile/judge.ts';
import { type HostileRequest, hostileRequest } from '../support/hostile/requests.ts';
import { asCurl, sendHostile } from '../support/hostile/send.ts';
import { hostileWorld } from '../support/hostile/world.ts';

const COUNT = Number(process.env.COUNT ?? 400);
const SEED = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31));

/** Requests that run at the same time. */
const WORKERS = 8;

/** Requests from one address: fewer than its limit, so that most reach an operation. */
const PER_ADDRESS = 8;

/** Every so many requests comes from the one address that is over its limit. */
const FLOOD_EVERY = 16;

/** Faults that a failure shows. */
const SHOWN = 20;

/** Signs of a defect in the output of the service: a function died, or the local cloud itself failed. */
const CRASHES = /Runtime exited|[Uu]nhandled|Uncaught|out of memory|Internal error of the local cloud|ERR_WORKER/;

const log = () => readFileSync(cloud().log, 'utf8');

/** Sends all requests, some at the same time. @returns what is wrong with the responses, and the slowest one */
async function attack(requests: readonly HostileRequest[]) {
  const { baseUrl } = cloud();
  const flooder = newCaller().address;
  const statuses: Record<string, number> = {};
  const faults: string[] = [];
  let slowest = { ms: 0, request: '' };
  let next = 0;
  const worker = async () => {
    let address = newCaller().address;
    for (let sent = 1; next < requests.length; sent++) {
      const request = requests[next++] as HostileRequest;
      if (sent % PER_ADDRESS === 0) address = newCaller().address;
      const response = await sendHostile(baseUrl, sent % FLOOD_EVERY === 0 ? flooder : address, request);
      if (response === undefined) continue;
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      for (const fault of faultsOf(baseUrl, request, response)) {
        faults.push(`${request.operation}: ${fault}\n${asCurl(baseUrl, request)}`);
      }
      if (response.ms > slowest.ms)
        slowest = { ms: response.ms, request: `${request.method} ${request.target.slice(0, 200)}` };
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return { faults, statuses, slowest };
}

it(`the service withstands ${COUNT} hostile requests, seed ${SEED}`, async () => {
  const requests = fc.sample(hostileRequest(await hostileWorld()), { numRuns: COUNT, seed: SEED });
  const logged = log().length;
  const tenth = Math.ceil(COUNT / 10);
  const rounds = [];
  const faults: string[] = [];
  for (let from = 0; from < COUNT; from += tenth) {
    const { faults: found, ...round } = await attack(requests.slice(from, from + tenth));
    faults.push(...found);
    rounds.push(round);
  }
  console.info(JSON.stringify({ seed: SEED, rounds }, null, 1));
  expect({ count: faults.length, first: faults.slice(0, SHOWN) }).toEqual({ count: 0, first: [] });
  const output = log().slice(logged).split('\n');
  expect(output.filter((line) => CRASHES.test(line))).toEqual([]);
}, 300_000);
